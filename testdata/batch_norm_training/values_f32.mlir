// clause: batch_norm_training: the specification's composition, each operation rounded
// Mean and variance along the other dimension; the variance divides by the count, not by one less.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[1.0,2.0,-3.0],[3.0,2.5,4.0]]> : tensor<2x3xf32>
// args: dense<[1.0,2.0,0.3]> : tensor<3xf32>
// args: dense<[0.0,0.1,-1.0]> : tensor<3xf32>
// expect: dense<[[-0.9995004, -1.8841894, -1.2999878], [0.9995004, 2.0841894, -0.7000122]]> : tensor<2x3xf32>
// expect: dense<[2.0, 2.25, 0.5]> : tensor<3xf32>
// expect: dense<[1.0, 0.0625, 12.25]> : tensor<3xf32>
module {
  func.func @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) {
    %0:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg2) {epsilon = 1.0e-3 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
    "func.return"(%0#0, %0#1, %0#2) : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> ()
  }
}

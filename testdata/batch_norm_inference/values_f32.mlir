// clause: batch_norm_inference: the specification's composition, each operation rounded
// Division by the rounded deviation, not a product with its reciprocal.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1.0,2.0,-3.0],[3.0,2.5,4.0]]> : tensor<2x3xf32>
// args: dense<[1.0,2.0,0.3]> : tensor<3xf32>
// args: dense<[0.0,0.1,-1.0]> : tensor<3xf32>
// args: dense<[2.0,2.25,0.5]> : tensor<3xf32>
// args: dense<[1.0,0.0625,12.25]> : tensor<3xf32>
// expect: dense<[[-0.9995004, -1.8841894, -1.2999878], [0.9995004, 2.0841894, -0.7000122]]> : tensor<2x3xf32>
module {
  func.func @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>, %arg3: tensor<3xf32>, %arg4: tensor<3xf32>) -> tensor<2x3xf32> {
    %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) {epsilon = 1.0e-3 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    "func.return"(%0) : (tensor<2x3xf32>) -> ()
  }
}

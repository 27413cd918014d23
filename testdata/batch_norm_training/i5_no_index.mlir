// feature_index: constant of type si64
// expect: violation batch_norm_training_i5 (strict)
// expect: violation batch_norm_training_i5 (mlir)
module {
  func.func @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) {
    %0:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg2) {epsilon = 0.0 : f32} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
    "func.return"(%0#0, %0#1, %0#2) : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> ()
  }
}

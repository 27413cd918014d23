// size(batch_mean)
// expect: violation batch_norm_training_c5 (strict)
// expect: violation batch_norm_training_c5 (mlir)
module {
  func.func @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>) -> (tensor<2x3xf32>, tensor<2xf32>, tensor<3xf32>) {
    %0:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg2) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<2xf32>, tensor<3xf32>)
    "func.return"(%0#0, %0#1, %0#2) : (tensor<2x3xf32>, tensor<2xf32>, tensor<3xf32>) -> ()
  }
}

// Per-tensor quantized operands and results.
// expect: no violation (strict)
// expect: no violation (mlir)
module {
  func.func @main(%arg0: tensor<2x3x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<3x!quant.uniform<i8:f32, 0.5>>, %arg2: tensor<3x!quant.uniform<i8:f32, 0.5>>, %arg3: tensor<3x!quant.uniform<i8:f32, 0.5>>, %arg4: tensor<3x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5>> {
    %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<3x!quant.uniform<i8:f32, 0.5>>, tensor<3x!quant.uniform<i8:f32, 0.5>>, tensor<3x!quant.uniform<i8:f32, 0.5>>, tensor<3x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5>>
    "func.return"(%0) : (tensor<2x3x!quant.uniform<i8:f32, 0.5>>) -> ()
  }
}

// (I1) operand: tensor or per-tensor quantized tensor
// expect: violation dynamic_update_slice_i1 (strict)
// expect: violation dynamic_update_slice_i1 (mlir)
module {
  func.func @main(%arg0: tensor<4x3x!quant.uniform<i8:f32:0, {0.5,0.5,0.5,0.5}>>, %arg1: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg2: tensor<i64>, %arg3: tensor<i64>) -> tensor<4x3x!quant.uniform<i8:f32:0, {0.5,0.5,0.5,0.5}>> {
    %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<4x3x!quant.uniform<i8:f32:0, {0.5,0.5,0.5,0.5}>>, tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<i64>, tensor<i64>) -> tensor<4x3x!quant.uniform<i8:f32:0, {0.5,0.5,0.5,0.5}>>
    "func.return"(%0) : (tensor<4x3x!quant.uniform<i8:f32:0, {0.5,0.5,0.5,0.5}>>) -> ()
  }
}

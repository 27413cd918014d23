// element_type(update) = element_type(operand)
// expect: no violation (strict)
// expect: no violation (mlir)
module {
  func.func @main(%arg0: tensor<4x3x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg2: tensor<i64>, %arg3: tensor<i64>) -> tensor<4x3x!quant.uniform<i8:f32, 0.5:3>> {
    %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<4x3x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<i64>, tensor<i64>) -> tensor<4x3x!quant.uniform<i8:f32, 0.5:3>>
    "func.return"(%0) : (tensor<4x3x!quant.uniform<i8:f32, 0.5:3>>) -> ()
  }
}

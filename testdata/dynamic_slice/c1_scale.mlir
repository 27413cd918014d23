// (C1) element_type(operand) = element_type(result)
// expect: violation dynamic_slice_c1 (strict)
// expect: violation dynamic_slice_c1 (mlir)
module {
  func.func @main(%arg0: tensor<4x3x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<i64>, %arg2: tensor<i64>) -> tensor<2x2x!quant.uniform<i8:f32, 0.25:3>> {
    %0 = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg2) {slice_sizes = array<i64: 2, 2>} : (tensor<4x3x!quant.uniform<i8:f32, 0.5:3>>, tensor<i64>, tensor<i64>) -> tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>
    "func.return"(%0) : (tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>) -> ()
  }
}

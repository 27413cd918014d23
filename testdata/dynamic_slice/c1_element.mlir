// (C1) element_type(operand) = element_type(result)
// expect: violation dynamic_slice_c1 (strict)
// expect: violation dynamic_slice_c1 (mlir)
module {
  func.func @main(%arg0: tensor<4x3xf32>, %arg1: tensor<i64>, %arg2: tensor<i64>) -> tensor<2x2xf64> {
    %0 = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg2) {slice_sizes = array<i64: 2, 2>} : (tensor<4x3xf32>, tensor<i64>, tensor<i64>) -> tensor<2x2xf64>
    "func.return"(%0) : (tensor<2x2xf64>) -> ()
  }
}

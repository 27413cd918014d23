// (C1) baseline_element_type(a) = baseline_element_type(b)
// expect: violation triangular_solve_c1 (strict)
// expect: violation triangular_solve_c1 (mlir)
module {
  func.func @main(%arg0: tensor<3x3xf32>, %arg1: tensor<3x2xf64>) -> tensor<3x2xf64> {
    %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x2xf64>) -> tensor<3x2xf64>
    "func.return"(%0) : (tensor<3x2xf64>) -> ()
  }
}

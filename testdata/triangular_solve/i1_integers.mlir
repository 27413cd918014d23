// (I1) a, b: of floating-point or complex or per-tensor quantized type
// expect: violation triangular_solve_i1 (strict)
// expect: violation triangular_solve_i1 (mlir)
module {
  func.func @main(%arg0: tensor<3x3xi32>, %arg1: tensor<3x2xi32>) -> tensor<3x2xi32> {
    %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    "func.return"(%0) : (tensor<3x2xi32>) -> ()
  }
}

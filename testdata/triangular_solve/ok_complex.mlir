// A batch of complex matrices.
// expect: no violation (strict)
// expect: no violation (mlir)
module {
  func.func @main(%arg0: tensor<2x3x3xcomplex<f32>>, %arg1: tensor<2x3x2xcomplex<f32>>) -> tensor<2x3x2xcomplex<f32>> {
    %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x2xcomplex<f32>>) -> tensor<2x3x2xcomplex<f32>>
    "func.return"(%0) : (tensor<2x3x2xcomplex<f32>>) -> ()
  }
}

// clause: triangular_solve: unit_diagonal
// The diagonal is not read.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[2.0,7.0,-3.0],[0.3,4.0,9.0],[-1.0,0.7,0.5]]> : tensor<3x3xf16>
// args: dense<[[1.0,2.0],[0.1,-5.0],[3.0,0.25]]> : tensor<3x2xf16>
// expect: dense<[[1.0, 2.0], [-0.2001, -5.6], [4.14, 6.17]]> : tensor<3x2xf16>
module {
  func.func @main(%arg0: tensor<3x3xf16>, %arg1: tensor<3x2xf16>) -> tensor<3x2xf16> {
    %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf16>, tensor<3x2xf16>) -> tensor<3x2xf16>
    "func.return"(%0) : (tensor<3x2xf16>) -> ()
  }
}

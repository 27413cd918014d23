// clause: triangular_solve: by substitution, row by row, each operation rounded (erratum E35)
// The other triangle is not read.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[2.0,7.0,-3.0],[0.3,4.0,9.0],[-1.0,0.7,0.5]]> : tensor<3x3xf32>
// args: dense<[[1.0,2.0],[0.1,-5.0],[3.0,0.25]]> : tensor<3x2xf32>
// expect: dense<[[0.5, 1.0], [-0.012500001, -1.325], [7.0175, 4.355]]> : tensor<3x2xf32>
module {
  func.func @main(%arg0: tensor<3x3xf32>, %arg1: tensor<3x2xf32>) -> tensor<3x2xf32> {
    %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
    "func.return"(%0) : (tensor<3x2xf32>) -> ()
  }
}

// clause: triangular_solve: by substitution, row by row, each operation rounded (erratum E35)
// The other triangle is not read.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[2.0,7.0,-3.0],[0.3,4.0,9.0],[-1.0,0.7,0.5]]> : tensor<3x3xf32>
// args: dense<[[1.0,0.1,3.0],[2.0,-5.0,0.25]]> : tensor<2x3xf32>
// expect: dense<[[0.5, -0.012500001, 7.0175], [1.0, -1.325, 4.355]]> : tensor<2x3xf32>
module {
  func.func @main(%arg0: tensor<3x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%0) : (tensor<2x3xf32>) -> ()
  }
}

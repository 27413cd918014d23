// clause: cholesky: column by column, each operation rounded; zeros beside the triangle (erratum E35)
// A symmetric matrix.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[4.0,1.0,2.0],[1.0,5.0,0.5],[2.0,0.5,3.0]]> : tensor<3x3xf32>
// expect: dense<[[2.0, 0.0, 0.0], [0.5, 2.1794496, 0.0], [1.0, 0.0, 1.4142135]]> : tensor<3x3xf32>
module {
  func.func @main(%arg0: tensor<3x3xf32>) -> tensor<3x3xf32> {
    %0 = "stablehlo.cholesky"(%arg0) {lower = true} : (tensor<3x3xf32>) -> tensor<3x3xf32>
    "func.return"(%0) : (tensor<3x3xf32>) -> ()
  }
}

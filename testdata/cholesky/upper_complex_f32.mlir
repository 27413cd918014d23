// clause: cholesky: of a Hermitian matrix
// The adjoint of the factor, not its transpose.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[(4.0,0.0),(1.0,-2.0)],[(1.0,2.0),(6.0,0.0)]]> : tensor<2x2xcomplex<f32>>
// expect: dense<[[(2.0,-0.0), (0.5,-1.0)], [(0.0,-0.0), (2.1794496,-0.0)]]> : tensor<2x2xcomplex<f32>>
module {
  func.func @main(%arg0: tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>> {
    %0 = "stablehlo.cholesky"(%arg0) {lower = false} : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
    "func.return"(%0) : (tensor<2x2xcomplex<f32>>) -> ()
  }
}

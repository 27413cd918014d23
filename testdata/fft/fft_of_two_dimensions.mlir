// clause: fft: FFT, rounded once (erratum E36)
// The sign of the exponent, the factor of the inverse, and which half is kept.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[(1.0,2.0),(-3.0,0.5),(0.25,-0.75)],[(2.5,1.5),(0.1,0.0),(1.0,1.0)]]> : tensor<2x3xcomplex<f32>>
// expect: dense<[[(1.85,4.25), (4.5415063,6.7190056), (4.108494,-0.46900544)], [(-5.35,-0.75), (2.373557,3.1601596), (-1.5235572,-0.9101597)]]> : tensor<2x3xcomplex<f32>>
module {
  func.func @main(%arg0: tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>> {
    %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 2, 3>} : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
    "func.return"(%0) : (tensor<2x3xcomplex<f32>>) -> ()
  }
}

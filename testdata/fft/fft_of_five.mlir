// clause: fft: FFT, rounded once (erratum E36)
// The sign of the exponent, the factor of the inverse, and which half is kept.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[(1.0,2.0),(-3.0,0.5),(0.25,-0.75),(2.5,1.5),(0.1,0.0)]> : tensor<5xcomplex<f32>>
// expect: dense<[(0.85,3.25), (-2.9679346,5.8185377), (6.629716,1.5095114), (1.7621763,2.1449971), (-1.2739575,-2.7230463)]> : tensor<5xcomplex<f32>>
module {
  func.func @main(%arg0: tensor<5xcomplex<f32>>) -> tensor<5xcomplex<f32>> {
    %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 5>} : (tensor<5xcomplex<f32>>) -> tensor<5xcomplex<f32>>
    "func.return"(%0) : (tensor<5xcomplex<f32>>) -> ()
  }
}

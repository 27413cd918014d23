// clause: fft: IRFFT, rounded once (erratum E36)
// The sign of the exponent, the factor of the inverse, and which half is kept.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[(1.0,2.0),(-3.0,0.5),(0.25,-0.75)]> : tensor<3xcomplex<f32>>
// expect: dense<[-1.1875, -0.0625, 1.8125, 0.4375]> : tensor<4xf32>
module {
  func.func @main(%arg0: tensor<3xcomplex<f32>>) -> tensor<4xf32> {
    %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 4>} : (tensor<3xcomplex<f32>>) -> tensor<4xf32>
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }
}

// clause: fft: RFFT, rounded once (erratum E36)
// The sign of the exponent, the factor of the inverse, and which half is kept.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[1.0,-2.0,0.5,4.0]> : tensor<4xf32>
// expect: dense<[(3.5,0.0), (0.5,6.0), (-0.5,0.0)]> : tensor<3xcomplex<f32>>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<3xcomplex<f32>> {
    %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 4>} : (tensor<4xf32>) -> tensor<3xcomplex<f32>>
    "func.return"(%0) : (tensor<3xcomplex<f32>>) -> ()
  }
}

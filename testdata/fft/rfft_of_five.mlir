// clause: fft: RFFT, rounded once (erratum E36)
// The sign of the exponent, the factor of the inverse, and which half is kept.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[1.0,-2.0,0.5,4.0,0.1]> : tensor<5xf32>
// expect: dense<[(3.6,0.0), (-3.2277088,4.054467), (3.9277089,-2.0943487)]> : tensor<3xcomplex<f32>>
module {
  func.func @main(%arg0: tensor<5xf32>) -> tensor<3xcomplex<f32>> {
    %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 5>} : (tensor<5xf32>) -> tensor<3xcomplex<f32>>
    "func.return"(%0) : (tensor<3xcomplex<f32>>) -> ()
  }
}

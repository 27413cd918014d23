// clause: fft: IFFT, rounded once (erratum E36)
// The sign of the exponent, the factor of the inverse, and which half is kept.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[(1.0,2.0),(-3.0,0.5),(0.25,-0.75),(2.5,1.5),(0.1,0.0)]> : tensor<5xcomplex<f32>>
// expect: dense<[(0.17,0.65), (-0.2547915,-0.54460925), (0.35243523,0.42899942), (1.3259431,0.30190226), (-0.5935869,1.1637075)]> : tensor<5xcomplex<f32>>
module {
  func.func @main(%arg0: tensor<5xcomplex<f32>>) -> tensor<5xcomplex<f32>> {
    %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type IFFT>, fft_length = array<i64: 5>} : (tensor<5xcomplex<f32>>) -> tensor<5xcomplex<f32>>
    "func.return"(%0) : (tensor<5xcomplex<f32>>) -> ()
  }
}

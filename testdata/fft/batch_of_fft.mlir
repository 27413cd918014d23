// clause: fft: FFT, rounded once (erratum E36)
// The sign of the exponent, the factor of the inverse, and which half is kept.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[(1.0,2.0),(-3.0,0.5),(0.25,-0.75)],[(2.5,1.5),(0.1,0.0),(1.0,1.0)]]> : tensor<2x3xcomplex<f32>>
// expect: dense<[[(-1.75,1.75), (3.4575317,4.9395823), (1.2924682,-0.6895826)], [(3.6,2.5), (1.0839746,1.7794229), (2.8160255,0.22057714)]]> : tensor<2x3xcomplex<f32>>
module {
  func.func @main(%arg0: tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>> {
    %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 3>} : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
    "func.return"(%0) : (tensor<2x3xcomplex<f32>>) -> ()
  }
}

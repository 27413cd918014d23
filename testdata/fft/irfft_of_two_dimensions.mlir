// clause: fft: IRFFT, rounded once (erratum E36)
// The sign of the exponent, the factor of the inverse, and which half is kept.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[(1.0,2.0),(-3.0,0.5),(0.25,-0.75)],[(2.5,1.5),(0.1,0.0),(1.0,1.0)]]> : tensor<2x3xcomplex<f32>>
// expect: dense<[[-0.13125, 0.15625, 1.31875, 0.40625], [-1.05625, -0.21875, 0.49375, 0.03125]]> : tensor<2x4xf32>
module {
  func.func @main(%arg0: tensor<2x3xcomplex<f32>>) -> tensor<2x4xf32> {
    %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 2, 4>} : (tensor<2x3xcomplex<f32>>) -> tensor<2x4xf32>
    "func.return"(%0) : (tensor<2x4xf32>) -> ()
  }
}

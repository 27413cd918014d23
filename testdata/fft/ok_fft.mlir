// Along the last dimension.
// expect: no violation (strict)
// expect: no violation (mlir)
module {
  func.func @main(%arg0: tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>> {
    %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 4>} : (tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
    "func.return"(%0) : (tensor<2x4xcomplex<f32>>) -> ()
  }
}

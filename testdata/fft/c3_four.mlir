// (C3) 1 <= size(fft_length) <= 3
// expect: violation fft_c3 (strict)
// expect: violation fft_c3 (mlir)
module {
  func.func @main(%arg0: tensor<1x1x1x4xcomplex<f32>>) -> tensor<1x1x1x4xcomplex<f32>> {
    %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 1, 1, 1, 4>} : (tensor<1x1x1x4xcomplex<f32>>) -> tensor<1x1x1x4xcomplex<f32>>
    "func.return"(%0) : (tensor<1x1x1x4xcomplex<f32>>) -> ()
  }
}

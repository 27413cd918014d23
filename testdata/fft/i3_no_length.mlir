// (I3) fft_length: 1-dimensional tensor constant of type si64
// expect: violation fft_i3 (strict)
// expect: violation fft_i3 (mlir)
module {
  func.func @main(%arg0: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
    %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type FFT>} : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    "func.return"(%0) : (tensor<4xcomplex<f32>>) -> ()
  }
}

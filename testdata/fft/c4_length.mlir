// (C4) shape(real)[-size(fft_length):] = fft_length
// expect: violation fft_c4 (strict)
// expect: violation fft_c4 (mlir)
module {
  func.func @main(%arg0: tensor<2x5xf32>) -> tensor<2x3xcomplex<f32>> {
    %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 4>} : (tensor<2x5xf32>) -> tensor<2x3xcomplex<f32>>
    "func.return"(%0) : (tensor<2x3xcomplex<f32>>) -> ()
  }
}

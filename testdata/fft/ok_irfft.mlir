// Two dimensions.
// expect: no violation (strict)
// expect: no violation (mlir)
module {
  func.func @main(%arg0: tensor<2x3xcomplex<f32>>) -> tensor<2x4xf32> {
    %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 2, 4>} : (tensor<2x3xcomplex<f32>>) -> tensor<2x4xf32>
    "func.return"(%0) : (tensor<2x4xf32>) -> ()
  }
}

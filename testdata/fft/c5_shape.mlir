// (C5) dim(result, -1) = dim(operand, -1) / 2 + 1
// expect: violation fft_c5 (strict)
// expect: violation fft_c5 (mlir)
module {
  func.func @main(%arg0: tensor<2x5xf32>) -> tensor<2x4xcomplex<f32>> {
    %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 5>} : (tensor<2x5xf32>) -> tensor<2x4xcomplex<f32>>
    "func.return"(%0) : (tensor<2x4xcomplex<f32>>) -> ()
  }
}

// (I1) operand: tensor of floating-point or complex type
// expect: violation fft_i1 (strict)
// expect: violation fft_i1 (mlir)
module {
  func.func @main(%arg0: tensor<4xi32>) -> tensor<4xi32> {
    %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 4>} : (tensor<4xi32>) -> tensor<4xi32>
    "func.return"(%0) : (tensor<4xi32>) -> ()
  }
}

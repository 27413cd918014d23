// expect: violation quantized_type_c5 (strict)
// expect: violation quantized_type_c5 (mlir)
// A scale is NaN.
func.func @main(%x: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0x7FC00000, 0.25}}>>) -> tensor<2x4xf32> {
  %r = "stablehlo.uniform_dequantize"(%x) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0x7FC00000, 0.25}}>>) -> tensor<2x4xf32>
  func.return %r : tensor<2x4xf32>
}

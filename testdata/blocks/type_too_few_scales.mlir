// expect: violation quantized_type_s9 (strict)
// expect: violation quantized_type_s9 (mlir)
// Two blocks have one scale.
func.func @main(%x: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5}}>>) -> tensor<2x4xf32> {
  %r = "stablehlo.uniform_dequantize"(%x) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5}}>>) -> tensor<2x4xf32>
  func.return %r : tensor<2x4xf32>
}

// expect: violation quantized_type_s6 (strict)
// expect: violation quantized_type_s6 (mlir)
// Blocks of 3 do not divide 4.
func.func @main(%x: tensor<2x4x!quant.uniform<i8:f32:{1:3}, {{0.5}}>>) -> tensor<2x4xf32> {
  %r = "stablehlo.uniform_dequantize"(%x) : (tensor<2x4x!quant.uniform<i8:f32:{1:3}, {{0.5}}>>) -> tensor<2x4xf32>
  func.return %r : tensor<2x4xf32>
}

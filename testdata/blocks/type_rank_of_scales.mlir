// expect: violation quantized_type_s8 (strict)
// expect: violation quantized_type_s8 (mlir)
// The table has one dimension, and the tensor two.
func.func @main(%x: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {0.5, 0.25}>>) -> tensor<2x4xf32> {
  %r = "stablehlo.uniform_dequantize"(%x) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {0.5, 0.25}>>) -> tensor<2x4xf32>
  func.return %r : tensor<2x4xf32>
}

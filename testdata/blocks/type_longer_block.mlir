// expect: violation quantized_type_s6 (strict)
// expect: violation quantized_type_s6 (mlir)
// A block of 8 is longer than the dimension.
func.func @main(%x: tensor<2x4x!quant.uniform<i8:f32:{1:8}, {{0.5}}>>) -> tensor<2x4xf32> {
  %r = "stablehlo.uniform_dequantize"(%x) : (tensor<2x4x!quant.uniform<i8:f32:{1:8}, {{0.5}}>>) -> tensor<2x4xf32>
  func.return %r : tensor<2x4xf32>
}

// expect: violation quantized_type_s3 (strict)
// expect: violation quantized_type_s3 (mlir)
// There is no dimension 2.
func.func @main(%x: tensor<2x4x!quant.uniform<i8:f32:{2:2}, {{0.5}}>>) -> tensor<2x4xf32> {
  %r = "stablehlo.uniform_dequantize"(%x) : (tensor<2x4x!quant.uniform<i8:f32:{2:2}, {{0.5}}>>) -> tensor<2x4xf32>
  func.return %r : tensor<2x4xf32>
}

// expect: violation quantized_type_c7 (strict)
// expect: violation quantized_type_c7 (mlir)
// The zero point of a block lies outside the storage range.
func.func @main(%x: tensor<2x4x!quant.uniform<i8<-10:10>:f32:{1:2}, {{0.5:11, 0.25}}>>) -> tensor<2x4xf32> {
  %r = "stablehlo.uniform_dequantize"(%x) : (tensor<2x4x!quant.uniform<i8<-10:10>:f32:{1:2}, {{0.5:11, 0.25}}>>) -> tensor<2x4xf32>
  func.return %r : tensor<2x4xf32>
}

// expect: malformed 
// A block of no elements.
func.func @main(%x: tensor<2x4x!quant.uniform<i8:f32:{1:0}, {{0.5}}>>) -> tensor<2x4xf32> {
  %r = "stablehlo.uniform_dequantize"(%x) : (tensor<2x4x!quant.uniform<i8:f32:{1:0}, {{0.5}}>>) -> tensor<2x4xf32>
  func.return %r : tensor<2x4xf32>
}

// expect: malformed 
// Rows of the table have two scales and one.
func.func @main(%x: tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5, 0.25}, {1.0}}>>) -> tensor<2x4xf32> {
  %r = "stablehlo.uniform_dequantize"(%x) : (tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5, 0.25}, {1.0}}>>) -> tensor<2x4xf32>
  func.return %r : tensor<2x4xf32>
}

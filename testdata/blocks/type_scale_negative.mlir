// expect: malformed scale -5.000000e-01 out of expressed type range
// A scale is negative.
func.func @main(%x: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{-0.5, 0.25}}>>) -> tensor<2x4xf32> {
  %r = "stablehlo.uniform_dequantize"(%x) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{-0.5, 0.25}}>>) -> tensor<2x4xf32>
  func.return %r : tensor<2x4xf32>
}

// clause: uniform_quantize: per-axis parameters go with their dimension
// From one scale for each slice to one for all.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-26, 104], [70, -70], [75, 56]], [[34, 63], [-3, 20], [-59, -104]]]> : tensor<2x3x2xi8>
// expect: dense<[[[-35, 127], [85, -90], [91, 67]], [[27, 45], [4, 18], [-32, -60]]]> : tensor<2x3x2xi8>
module {
  func.func @main(%arg0: tensor<2x3x2x!quant.uniform<i8:f32:0, {5.000000e-01:3,2.500000e-01:-7}>>) -> tensor<2x3x2x!quant.uniform<i8:f32, 4.000000e-01:1>> {
    %r0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x3x2x!quant.uniform<i8:f32:0, {5.000000e-01:3,2.500000e-01:-7}>>) -> tensor<2x3x2x!quant.uniform<i8:f32, 4.000000e-01:1>>
    "func.return"(%r0) : (tensor<2x3x2x!quant.uniform<i8:f32, 4.000000e-01:1>>) -> ()
  }
}

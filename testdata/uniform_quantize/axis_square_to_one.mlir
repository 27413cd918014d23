// clause: uniform_quantize: per-axis parameters go with their dimension
// From one scale for each slice to one for all.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[12, -123], [39, 81]], [[85, 105], [-102, -127]]]> : tensor<2x2x2xi8>
// expect: dense<[[[12, -128], [30, 56]], [[104, 127], [-58, -74]]]> : tensor<2x2x2xi8>
module {
  func.func @main(%arg0: tensor<2x2x2x!quant.uniform<i8:f32:1, {5.000000e-01:3,2.500000e-01:-7}>>) -> tensor<2x2x2x!quant.uniform<i8:f32, 4.000000e-01:1>> {
    %r0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x2x2x!quant.uniform<i8:f32:1, {5.000000e-01:3,2.500000e-01:-7}>>) -> tensor<2x2x2x!quant.uniform<i8:f32, 4.000000e-01:1>>
    "func.return"(%r0) : (tensor<2x2x2x!quant.uniform<i8:f32, 4.000000e-01:1>>) -> ()
  }
}

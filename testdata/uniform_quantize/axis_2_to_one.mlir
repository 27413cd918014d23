// clause: uniform_quantize: per-axis parameters go with their dimension
// From one scale for each slice to one for all.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[65, 41], [31, 214], [95, 65]], [[15, 255], [182, 43], [1, 10]]]> : tensor<2x3x2xui8>
// expect: dense<[[[-15, 27], [-23, 127], [-7, 45]], [[-27, 127], [14, 28], [-31, 3]]]> : tensor<2x3x2xi8>
module {
  func.func @main(%arg0: tensor<2x3x2x!quant.uniform<u8:f32:2, {1.000000e-01:128,3.000000e-01:7}>>) -> tensor<2x3x2x!quant.uniform<i8:f32, 4.000000e-01:1>> {
    %r0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x3x2x!quant.uniform<u8:f32:2, {1.000000e-01:128,3.000000e-01:7}>>) -> tensor<2x3x2x!quant.uniform<i8:f32, 4.000000e-01:1>>
    "func.return"(%r0) : (tensor<2x3x2x!quant.uniform<i8:f32, 4.000000e-01:1>>) -> ()
  }
}

// clause: uniform_quantize: per-axis parameters go with their dimension
// From one scale for each slice to one for all.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-126, 73], [-66, 100], [-7, 90]], [[-54, -9], [58, -6], [73, 13]]]> : tensor<2x3x2xi8>
// expect: dense<[[[-128, 88], [-36, 68], [-34, 127]], [[-70, -14], [42, 2], [127, 66]]]> : tensor<2x3x2xi8>
module {
  func.func @main(%arg0: tensor<2x3x2x!quant.uniform<i8:f32:1, {5.000000e-01:3,2.500000e-01:-7,2.000000e+00}>>) -> tensor<2x3x2x!quant.uniform<i8:f32, 4.000000e-01:1>> {
    %r0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x3x2x!quant.uniform<i8:f32:1, {5.000000e-01:3,2.500000e-01:-7,2.000000e+00}>>) -> tensor<2x3x2x!quant.uniform<i8:f32, 4.000000e-01:1>>
    "func.return"(%r0) : (tensor<2x3x2x!quant.uniform<i8:f32, 4.000000e-01:1>>) -> ()
  }
}

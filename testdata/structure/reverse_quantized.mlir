// clause: reverse: listed dimensions
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[30, 114, -85, -121], [40, 92, 82, -35], [-83, -8, -110, -35]], [[-72, 121, -63, 102], [-33, -14, 33, -70], [17, -120, -99, -80]]]> : tensor<2x3x4xi8>
// expect: dense<[[[102, -63, 121, -72], [-70, 33, -14, -33], [-80, -99, -120, 17]], [[-121, -85, 114, 30], [-35, 82, 92, 40], [-35, -110, -8, -83]]]> : tensor<2x3x4xi8>
module {
  func.func @main(%arg0: tensor<2x3x4x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<2x3x4x!quant.uniform<i8:f32, 5.000000e-01:3>> {
    %r0 = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 0, 2>} : (tensor<2x3x4x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<2x3x4x!quant.uniform<i8:f32, 5.000000e-01:3>>
    "func.return"(%r0) : (tensor<2x3x4x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> ()
  }
}

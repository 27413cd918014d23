// clause: transpose: result dimension d is operand dimension permutation[d]
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[52, -91, -62, 63], [76, 17, 8, 100], [-2, -117, 97, 2]], [[74, -5, -71, 66], [61, 80, -32, -103], [-4, 96, 59, -56]]]> : tensor<2x3x4xi8>
// expect: dense<[[[52, 76, -2], [74, 61, -4]], [[-91, 17, -117], [-5, 80, 96]], [[-62, 8, 97], [-71, -32, 59]], [[63, 100, 2], [66, -103, -56]]]> : tensor<4x2x3xi8>
module {
  func.func @main(%arg0: tensor<2x3x4x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<4x2x3x!quant.uniform<i8:f32, 5.000000e-01:3>> {
    %r0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 2, 0, 1>} : (tensor<2x3x4x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<4x2x3x!quant.uniform<i8:f32, 5.000000e-01:3>>
    "func.return"(%r0) : (tensor<4x2x3x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> ()
  }
}

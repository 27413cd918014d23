// clause: slice: from start_indices in steps of strides, below limit_indices
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-125, 114, -95, -97, -39], [-81, 14, -31, -122, -121], [-14, 86, -116, -70, 2], [38, -101, 44, 12, -55], [-84, 110, 68, -16, 111], [29, 31, -63, -120, -81], [-88, -9, -44, -82, 88]]> : tensor<7x5xi8>
// expect: dense<[[-31, -121], [44, -55], [-63, -81]]> : tensor<3x2xi8>
module {
  func.func @main(%arg0: tensor<7x5x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01:3>> {
    %r0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1, 2>, limit_indices = array<i64: 7, 5>, strides = array<i64: 2, 2>} : (tensor<7x5x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01:3>>
    "func.return"(%r0) : (tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> ()
  }
}

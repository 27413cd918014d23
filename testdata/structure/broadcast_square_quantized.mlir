// clause: broadcast_in_dim: operand dimension d is result dimension broadcast_dimensions[d]
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[19, 126], [-67, -62]]> : tensor<2x2xi8>
// expect: dense<[[19, -67], [126, -62]]> : tensor<2x2xi8>
module {
  func.func @main(%arg0: tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>> {
    %r0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 1, 0>} : (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>>
    "func.return"(%r0) : (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> ()
  }
}

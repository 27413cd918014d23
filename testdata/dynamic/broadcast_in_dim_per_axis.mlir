// clause: dynamic_broadcast_in_dim: functionally identical to broadcast_in_dim
// Storage moves; the axis of the scales goes where its dimension goes.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[5, -7]> : tensor<2xi8>
// args: dense<[3, 2]> : tensor<2xi64>
// expect: dense<[[5, -7], [5, -7], [5, -7]]> : tensor<3x2xi8>
module {
  func.func @main(%x: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, %s: tensor<2xi64>) -> tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>> {
    %0 = "stablehlo.dynamic_broadcast_in_dim"(%x, %s) {broadcast_dimensions = array<i64: 1>} : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<2xi64>) -> tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>
    func.return %0 : tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>
  }
}

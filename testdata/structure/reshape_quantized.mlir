// clause: reshape: row-major order
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-46, -49, -19, 47, 87, -22], [102, 60, -113, 76, 73, 12]]> : tensor<2x6xi8>
// expect: dense<[[[-46, -49], [-19, 47]], [[87, -22], [102, 60]], [[-113, 76], [73, 12]]]> : tensor<3x2x2xi8>
module {
  func.func @main(%arg0: tensor<2x6x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<3x2x2x!quant.uniform<i8:f32, 5.000000e-01:3>> {
    %r0 = "stablehlo.reshape"(%arg0) : (tensor<2x6x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<3x2x2x!quant.uniform<i8:f32, 5.000000e-01:3>>
    "func.return"(%r0) : (tensor<3x2x2x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> ()
  }
}

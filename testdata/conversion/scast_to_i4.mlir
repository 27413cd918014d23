// clause: quant.scast: the bits of the storage
// Both ends of the range.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-8, -7, -3, 4, 6, 7]> : tensor<6xi4>
// expect: dense<[-8, -7, -3, 4, 6, 7]> : tensor<6xi4>
module {
  func.func @main(%arg0: tensor<6xi4>) -> tensor<6x!quant.uniform<i4:f32, 5.000000e-01>> {
    %r0 = "quant.scast"(%arg0) : (tensor<6xi4>) -> tensor<6x!quant.uniform<i4:f32, 5.000000e-01>>
    "func.return"(%r0) : (tensor<6x!quant.uniform<i4:f32, 5.000000e-01>>) -> ()
  }
}

// clause: quant.scast: the bits of the storage
// Both ends of the range.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-128, -127, -7, 8, 126, 127]> : tensor<6xi8>
// expect: dense<[128, 129, 249, 8, 126, 127]> : tensor<6xui8>
module {
  func.func @main(%arg0: tensor<6xi8>) -> tensor<6x!quant.uniform<u8:f32, 5.000000e-01>> {
    %r0 = "quant.scast"(%arg0) : (tensor<6xi8>) -> tensor<6x!quant.uniform<u8:f32, 5.000000e-01>>
    "func.return"(%r0) : (tensor<6x!quant.uniform<u8:f32, 5.000000e-01>>) -> ()
  }
}

// clause: quant.scast: the bits of the storage
// Both ends of the range.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-32768, -32767, -7, 16, 32766, 32767]> : tensor<6xi16>
// expect: dense<[-32768, -32767, -7, 16, 32766, 32767]> : tensor<6xi16>
module {
  func.func @main(%arg0: tensor<6xi16>) -> tensor<6x!quant.uniform<i16:f32, 5.000000e-01>> {
    %r0 = "quant.scast"(%arg0) : (tensor<6xi16>) -> tensor<6x!quant.uniform<i16:f32, 5.000000e-01>>
    "func.return"(%r0) : (tensor<6x!quant.uniform<i16:f32, 5.000000e-01>>) -> ()
  }
}

// clause: quant.dcast: elements of any shape
// One element without dimensions, none at all, or several dimensions.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<> : tensor<2x0xi8>
// expect: dense<> : tensor<2x0xf32>
module {
  func.func @main(%arg0: tensor<2x0x!quant.uniform<i8:f32, 3.000000e-01:-4>>) -> tensor<2x0xf32> {
    %r0 = "quant.dcast"(%arg0) : (tensor<2x0x!quant.uniform<i8:f32, 3.000000e-01:-4>>) -> tensor<2x0xf32>
    "func.return"(%r0) : (tensor<2x0xf32>) -> ()
  }
}

// clause: quant.dcast: elements of any shape
// One element without dimensions, none at all, or several dimensions.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<91> : tensor<i8>
// expect: dense<28.500002> : tensor<f32>
module {
  func.func @main(%arg0: tensor<!quant.uniform<i8:f32, 3.000000e-01:-4>>) -> tensor<f32> {
    %r0 = "quant.dcast"(%arg0) : (tensor<!quant.uniform<i8:f32, 3.000000e-01:-4>>) -> tensor<f32>
    "func.return"(%r0) : (tensor<f32>) -> ()
  }
}

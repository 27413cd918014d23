// clause: quant.qcast: elements of any shape
// One element without dimensions, none at all, or several dimensions.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<0.25> : tensor<f32>
// expect: dense<-3> : tensor<i8>
module {
  func.func @main(%arg0: tensor<f32>) -> tensor<!quant.uniform<i8:f32, 3.000000e-01:-4>> {
    %r0 = "quant.qcast"(%arg0) : (tensor<f32>) -> tensor<!quant.uniform<i8:f32, 3.000000e-01:-4>>
    "func.return"(%r0) : (tensor<!quant.uniform<i8:f32, 3.000000e-01:-4>>) -> ()
  }
}

// clause: quant.dcast: elements of any shape
// One element without dimensions, none at all, or several dimensions.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-66, 38, -102]], [[32, 39, 124]]]> : tensor<2x1x3xi8>
// expect: dense<[[[-18.6, 12.6, -29.400002]], [[10.8, 12.900001, 38.4]]]> : tensor<2x1x3xf32>
module {
  func.func @main(%arg0: tensor<2x1x3x!quant.uniform<i8:f32, 3.000000e-01:-4>>) -> tensor<2x1x3xf32> {
    %r0 = "quant.dcast"(%arg0) : (tensor<2x1x3x!quant.uniform<i8:f32, 3.000000e-01:-4>>) -> tensor<2x1x3xf32>
    "func.return"(%r0) : (tensor<2x1x3xf32>) -> ()
  }
}

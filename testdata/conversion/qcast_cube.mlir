// clause: quant.qcast: elements of any shape
// One element without dimensions, none at all, or several dimensions.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-0.25, 3.0, 2.75]], [[-3.25, 4.75, 4.0]]]> : tensor<2x1x3xf32>
// expect: dense<[[[-5, 6, 5]], [[-15, 12, 9]]]> : tensor<2x1x3xi8>
module {
  func.func @main(%arg0: tensor<2x1x3xf32>) -> tensor<2x1x3x!quant.uniform<i8:f32, 3.000000e-01:-4>> {
    %r0 = "quant.qcast"(%arg0) : (tensor<2x1x3xf32>) -> tensor<2x1x3x!quant.uniform<i8:f32, 3.000000e-01:-4>>
    "func.return"(%r0) : (tensor<2x1x3x!quant.uniform<i8:f32, 3.000000e-01:-4>>) -> ()
  }
}

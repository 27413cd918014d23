// clause: uniform_quantize: elements of any shape
// One element without dimensions, none at all, or several dimensions.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-3.5, 2.5, -1.75]], [[4.25, -3.0, 3.75]]]> : tensor<2x1x3xf32>
// expect: dense<[[[-16, 4, -10]], [[10, -14, 8]]]> : tensor<2x1x3xi8>
module {
  func.func @main(%arg0: tensor<2x1x3xf32>) -> tensor<2x1x3x!quant.uniform<i8:f32, 3.000000e-01:-4>> {
    %r0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x1x3xf32>) -> tensor<2x1x3x!quant.uniform<i8:f32, 3.000000e-01:-4>>
    "func.return"(%r0) : (tensor<2x1x3x!quant.uniform<i8:f32, 3.000000e-01:-4>>) -> ()
  }
}

// clause: uniform_dequantize: elements of any shape
// One element without dimensions, none at all, or several dimensions.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-68, -97, -3]], [[60, 0, -63]]]> : tensor<2x1x3xi8>
// expect: dense<[[[-19.2, -27.900002, 0.3]], [[19.2, 1.2, -17.7]]]> : tensor<2x1x3xf32>
module {
  func.func @main(%arg0: tensor<2x1x3x!quant.uniform<i8:f32, 3.000000e-01:-4>>) -> tensor<2x1x3xf32> {
    %r0 = "stablehlo.uniform_dequantize"(%arg0) : (tensor<2x1x3x!quant.uniform<i8:f32, 3.000000e-01:-4>>) -> tensor<2x1x3xf32>
    "func.return"(%r0) : (tensor<2x1x3xf32>) -> ()
  }
}

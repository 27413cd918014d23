// clause: multiply: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[81, -87, 65, -50, -9, -12, 111, -24, -41, 110, 39, -65, 117, 68, 124, -114, 82, -100, 28, 116, -14, -110, 33, -104, 35, -111, 28, -101, -58, -3, -21, 32, 79, -99, -86, 127, -7, 82, 14, -90]> : tensor<40xi8>
// args: dense<[-71, 108, 120, 80, -17, -71, -100, -128, 37, 117, 120, 80, -127, -62, -94, -121, 26, -92, -55, -72, -106, -113, 93, 26, 8, -99, -127, 27, 76, 111, -19, 91, 36, 64, 46, 66, -78, -82, -29, -42]> : tensor<40xi8>
// expect: dense<[-128, -128, 127, -128, 16, 121, -128, 127, -128, 127, 127, -128, -128, -128, -128, 127, 127, 127, -128, -128, 127, 127, 127, -128, 61, 127, -128, -128, -128, -88, 37, 127, 127, -128, -128, 127, 90, -128, -29, 127]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<40x!quant.uniform<i8:f32, 2.500000e-01:-7>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>> {
    %r0 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<40x!quant.uniform<i8:f32, 2.500000e-01:-7>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>) -> ()
  }
}

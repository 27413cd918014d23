// clause: maximum: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-15, 67, -107, 97, -34, -93, 3, -18, 59, -21, 66, -103, -48, 84, -13, 30, -97, -126, 44, 14, -125, 35, -15, -19, -128, -25, 11, 12, -114, -100, -116, 121, -123, -92, 96, 64, 2, -45, 61, -11]> : tensor<40xi8>
// args: dense<[93, 12, 69, 119, 51, 48, 72, 22, -30, -60, -15, 127, 70, 21, 19, -68, 5, -76, -117, -77, 109, 64, -6, 13, -111, -63, -4, -62, -26, -105, -70, -80, -21, -16, -59, -80, 31, 64, 4, 100]> : tensor<40xi8>
// expect: dense<[26, 33, 20, 48, 16, 15, 21, 8, 29, -11, 32, 34, 20, 42, 8, 14, 4, -16, 22, 6, 30, 19, 1, 6, -25, -13, 5, 6, -4, -24, -15, 60, -2, -1, 48, 32, 10, 19, 30, 28]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<40x!quant.uniform<i8:f32, 2.500000e-01:-7>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>> {
    %r0 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<40x!quant.uniform<i8:f32, 2.500000e-01:-7>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>) -> ()
  }
}

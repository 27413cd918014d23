// clause: remainder: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[15, -126, -31, 26, -8, 68, -107, -110, 122, -94, 11, -75, 80, -61, 109, 92, -58, 92, -14, 84, 71, -76, 3, 107, -25, 5, -113, 88, 90, -56, -69, -49, 59, 10, -17, 50, -125, 101, 7, 88]> : tensor<40xi8>
// args: dense<[60, 127, 0, 99, 28, 76, 51, -106, -113, -34, 100, 61, 50, 49, -119, 4, -108, 84, 0, -86, 21, 73, 105, -93, -85, -97, -46, -13, 82, -78, 92, 27, 19, -78, -116, 93, 43, 120, 22, 113]> : tensor<40xi8>
// expect: dense<[7, -30, 0, 12, -4, 13, -10, -6, 8, 0, 5, -4, 11, -3, 26, 2, -4, 23, 0, 2, 7, -18, 1, 10, -13, 2, -8, 2, 22, -11, -10, 0, 3, 4, -9, 24, 0, 18, 3, 14]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<40x!quant.uniform<i8:f32, 2.500000e-01:-7>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>> {
    %r0 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<40x!quant.uniform<i8:f32, 2.500000e-01:-7>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>) -> ()
  }
}

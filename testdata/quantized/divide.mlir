// clause: divide: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[55, 97, 80, 12, 32, 58, 51, -58, -44, 117, -114, 108, -69, -8, -24, 113, 57, -37, 69, 60, 36, -76, 42, -102, 23, 77, -28, 114, -112, 54, 106, 45, 23, -108, 13, -114, -4, -31, 20, -59]> : tensor<40xi8>
// args: dense<[102, 44, 82, -94, 126, -73, 119, 55, 73, 124, 38, 92, 72, 75, 111, -66, -83, 58, 41, 34, 72, -65, 39, 17, 127, -124, 54, -78, 3, 76, -8, -72, -37, -72, -107, -19, -23, -33, -114, -94]> : tensor<40xi8>
// expect: dense<[2, 5, 3, 1, 1, -1, 2, -1, 0, 3, -4, 3, -1, 1, 1, -3, 0, 0, 4, 4, 2, 4, 3, -8, 1, 0, 0, -2, -22, 2, -128, 0, 0, 4, 1, 20, 2, 4, 1, 2]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<40x!quant.uniform<i8:f32, 2.500000e-01:-7>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>> {
    %r0 = "stablehlo.divide"(%arg0, %arg1) : (tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<40x!quant.uniform<i8:f32, 2.500000e-01:-7>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>) -> ()
  }
}

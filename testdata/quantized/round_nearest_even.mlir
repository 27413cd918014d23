// clause: round_nearest_even: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[43, 15, -101, 36, 38, -74, -55, 9, -7, -92, -66, -23, -45, -5, 75, 44, 39, 24, -102, 79, 104, 53, -2, 106, -50, -105, -97, 100, 68, -91, -75, 53, 45, 121, 13, 103, -51, 37, 52, 104]> : tensor<40xi8>
// expect: dense<[21, 7, -51, 17, 19, -37, -28, 4, -4, -47, -33, -12, -23, -3, 37, 21, 19, 11, -51, 39, 51, 26, -1, 53, -25, -53, -49, 49, 33, -46, -38, 26, 22, 60, 6, 51, -26, 18, 25, 51]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>> {
    %r0 = "stablehlo.round_nearest_even"(%arg0) : (tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>) -> ()
  }
}

// clause: round_nearest_afz: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[7, 112, -62, -20, -40, 62, 69, -37, 32, -121, 29, 81, -75, 76, 28, -84, -115, 23, 42, -104, 47, 106, 7, 51, 107, -17, -9, 49, 61, -42, 44, 94, -10, 25, -55, 74, -27, -117, -92, -51]> : tensor<40xi8>
// expect: dense<[3, 56, -32, -11, -21, 31, 34, -19, 16, -61, 14, 40, -38, 38, 14, -43, -58, 11, 21, -53, 23, 53, 3, 25, 53, -9, -5, 24, 30, -22, 22, 47, -6, 12, -28, 37, -14, -59, -47, -26]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>> {
    %r0 = "stablehlo.round_nearest_afz"(%arg0) : (tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>) -> ()
  }
}

// clause: ceil: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[79, 23, -32, -57, -18, -83, 68, 72, 62, -109, -86, -22, 98, 70, 71, 3, -47, 78, -42, -33, -91, -109, 57, -60, -32, 107, 4, -52, 27, 13, 66, -109, -2, -31, 58, 71, -80, -71, 40, 21]> : tensor<40xi8>
// expect: dense<[39, 11, -16, -29, -9, -42, 34, 36, 31, -55, -43, -11, 49, 35, 35, 1, -24, 39, -21, -17, -46, -55, 28, -30, -16, 53, 2, -26, 13, 6, 33, -55, -1, -16, 29, 35, -40, -36, 20, 10]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>> {
    %r0 = "stablehlo.ceil"(%arg0) : (tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>) -> ()
  }
}

// clause: floor: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-123, -2, 82, 21, -17, 29, -11, -33, -90, 120, 47, -13, 123, 17, 64, 53, -54, 21, 91, -61, -89, -79, -121, -7, -78, 62, -5, -120, 4, 91, 69, 122, 118, 123, 74, 88, 104, 106, -77, 76]> : tensor<40xi8>
// expect: dense<[-62, -2, 40, 10, -9, 14, -6, -17, -46, 59, 23, -7, 61, 8, 31, 26, -28, 10, 45, -31, -45, -40, -61, -4, -40, 30, -3, -61, 1, 45, 34, 60, 58, 61, 36, 43, 51, 52, -39, 37]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>> {
    %r0 = "stablehlo.floor"(%arg0) : (tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>) -> ()
  }
}

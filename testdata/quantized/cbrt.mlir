// clause: cbrt: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-104, 60, 102, -60, -72, 13, 52, -110, -87, 46, -6, 87, -21, -53, 23, 58, -11, 106, 22, -7, 20, -97, -38, -34, 44, -104, 43, -115, -20, 34, -4, -84, -67, -48, -66, 74, -55, 109, 120, 9]> : tensor<40xi8>
// expect: dense<[-3, 4, 5, -2, -2, 3, 4, -3, -3, 4, -1, 4, -1, -2, 3, 4, -1, 5, 3, -1, 3, -3, -2, -2, 4, -3, 4, -3, -1, 3, -1, -3, -2, -2, -2, 4, -2, 5, 5, 2]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>> {
    %r0 = "stablehlo.cbrt"(%arg0) : (tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>) -> ()
  }
}

// clause: tan: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-45, -88, -110, -75, 60, -1, 66, -6, 45, -58, -26, 1, 68, 4, -30, -4, 3, 12, 71, -84, -13, 123, -54, 58, -34, 40, 44, -15, 82, -4, 29, 14, -4, 43, 12, 123, 95, -77, 111, -114]> : tensor<40xi8>
// expect: dense<[3, -18, 1, -3, 1, 3, 1, -4, -1, 2, 4, -1, 3, 2, 0, 1, 1, 6, 0, 2, 8, 1, 1, 0, 1, 1, -12, 1, -3, 1, 1, 0, 1, 3, 6, 1, -1, 2, 2, 3]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>> {
    %r0 = "stablehlo.tan"(%arg0) : (tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>) -> ()
  }
}

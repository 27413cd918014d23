// clause: exponential_minus_one: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-103, -84, 67, -103, 88, -64, -33, -1, 83, 125, 115, -115, 13, -11, -82, -52, 106, -48, -63, 12, -100, 7, 14, 104, 40, 90, -55, 13, 8, 75, -72, 120, 53, -62, -41, 40, 60, 33, 80, -28]> : tensor<40xi8>
// expect: dense<[0, 0, 127, 0, 127, 0, 0, 0, 127, 127, 127, 0, 127, 0, 0, 0, 127, 0, 0, 90, 0, 7, 127, 127, 127, 127, 0, 127, 12, 127, 0, 127, 127, 0, 0, 127, 127, 127, 127, 0]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>> {
    %r0 = "stablehlo.exponential_minus_one"(%arg0) : (tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>) -> ()
  }
}

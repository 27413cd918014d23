// clause: log_plus_one: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[83, 14, -59, 51, 58, -10, 66, 65, -38, -47, -26, 33, 70, -61, -50, -11, 0, -17, 43, -11, -126, -95, 52, -61, 48, -77, -32, 9, -114, 100, 9, -94, -37, 44, 28, 61, 81, 78, 111, 105]> : tensor<40xi8>
// expect: dense<[5, 3, 0, 4, 4, 0, 4, 4, 0, 0, 0, 4, 5, 0, 0, 0, 0, 0, 4, 0, 0, 0, 4, 0, 4, 0, 0, 2, 0, 5, 2, 0, 0, 4, 4, 4, 5, 5, 5, 5]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>> {
    %r0 = "stablehlo.log_plus_one"(%arg0) : (tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>) -> ()
  }
}

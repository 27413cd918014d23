// clause: abs: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[79, -62, -54, 29, 0, -109, 78, -36, 11, 99, 0, -32, 52, 69, -20, -61, -79, 54, -64, -14, 60, 120, -7, 81, 13, -114, 20, 4, 34, 111, -91, 18, 123, 69, -4, -81, 100, -1, -105, -113]> : tensor<40xi8>
// expect: dense<[39, 34, 30, 14, 2, 57, 38, 20, 5, 49, 2, 18, 26, 34, 12, 33, 42, 26, 34, 10, 30, 60, 6, 40, 6, 60, 10, 2, 16, 55, 48, 8, 61, 34, 4, 43, 50, 3, 55, 59]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>> {
    %r0 = "stablehlo.abs"(%arg0) : (tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>) -> ()
  }
}

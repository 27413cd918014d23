// clause: negate: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[63, 11, 93, 73, 79, 71, -65, -7, 47, -63, -6, 82, -21, 114, 118, -49, -80, 114, -12, 78, -100, 83, 66, 82, -98, -57, -88, 93, 8, 64, 106, -22, 12, -115, 45, 25, 46, -113, -14, 45]> : tensor<40xi8>
// expect: dense<[-29, -3, -44, -34, -37, -33, 35, 6, -21, 34, 6, -38, 13, -54, -56, 27, 42, -54, 8, -36, 52, -39, -30, -38, 52, 31, 46, -44, -2, -30, -50, 14, -4, 60, -20, -10, -20, 59, 10, -20]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>> {
    %r0 = "stablehlo.negate"(%arg0) : (tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>) -> ()
  }
}

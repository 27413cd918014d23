// clause: sine: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[74, 97, -55, -32, 19, -100, -48, 14, -20, -111, 50, -41, 22, -42, 91, -45, -102, -106, -29, 110, -37, 85, 95, 2, -69, 21, 47, 107, 47, 108, 19, -88, -113, -98, 61, 82, 71, 45, -88, 107]> : tensor<40xi8>
// expect: dense<[0, 1, 2, 2, 2, 0, 1, 0, 2, 1, 0, 1, 1, 1, 1, 2, 0, 2, 1, 1, 0, 1, 2, 1, 2, 1, 1, 2, 1, 2, 2, 0, 0, 1, 0, 2, 2, 2, 0, 2]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>> {
    %r0 = "stablehlo.sine"(%arg0) : (tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>) -> ()
  }
}

// clause: log: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[16, -14, 109, -20, -78, -83, -126, 118, -80, -55, -38, 35, 90, -128, 55, 61, 63, -128, 55, -84, -8, 4, -122, 8, 110, -122, -98, -50, 62, -113, 43, -29, 37, 119, -11, 29, 66, -122, 79, -63]> : tensor<40xi8>
// expect: dense<[3, 0, 5, 0, 0, 0, 0, 5, 0, 0, 0, 4, 5, 0, 4, 4, 4, 0, 4, 0, 0, 0, 0, 2, 5, 0, 0, 0, 4, 0, 4, 0, 4, 5, 0, 4, 4, 0, 5, 0]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>> {
    %r0 = "stablehlo.log"(%arg0) : (tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>) -> ()
  }
}

// clause: clamp: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[49, -16, -35, 123, -3, -6, -27, -122, 85, -63, 73, 25, -76, 27, 33, 44, -83, -12, 9, -29, -52, 36, 55, -105, -75, -26, -69, -113, 49, 76, -100, 35, -97, -67, 27, -14, -59, 47, -58, -32]> : tensor<40xi8>
// args: dense<[-1, 114, 4, -47, -73, -103, 31, -83, 95, -3, -25, -26, -3, 67, -47, -36, 11, -82, -22, -91, -59, 22, -103, 90, -99, 20, 109, -67, -4, -74, -16, 73, -86, 93, -70, -105, 14, 42, 117, 36]> : tensor<40xi8>
// args: dense<[-85, -11, 115, 76, 78, 16, -126, 15, -102, -5, 31, -27, 55, -4, 88, 49, 63, -15, -65, -17, -118, -98, -10, 78, -60, -111, 34, -87, -52, -8, -29, 96, -89, -54, 3, 67, 18, 14, -82, -84]> : tensor<40xi8>
// expect: dense<[-43, -6, 4, 38, -2, -4, -64, -18, -52, -3, 15, -14, 2, -2, 16, 22, 6, -8, -33, -15, -60, -50, -6, 25, -30, -56, 16, -44, -26, -4, -15, 21, -45, -28, 1, -8, 6, 6, -42, -42]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<40x!quant.uniform<i8:f32, 2.500000e-01:-7>>, %arg2: tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>> {
    %r0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<40x!quant.uniform<i8:f32, 2.500000e-01:-7>>, tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>) -> ()
  }
}

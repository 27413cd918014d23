// clause: subtract: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-38, -74, 101, 27, -33, 31, 26, 26, 111, -71, -4, 100, -14, 85, 10, 77, -64, 78, 80, -5, -89, -90, -15, -45, 82, 23, -71, 107, -116, 63, -127, 115, 69, 73, -114, -64, 40, -104, -61, 16]> : tensor<40xi8>
// args: dense<[50, -43, -112, 26, -91, 39, -51, 35, 104, -126, 92, -72, 92, -60, 69, -120, 109, -55, -120, -20, 49, 112, 17, -5, 109, 69, 0, -113, -28, -50, 85, -127, -99, 49, 39, -115, -96, -79, 112, 21]> : tensor<40xi8>
// expect: dense<[-34, -28, 76, 5, 4, 4, 24, 2, 27, -6, -27, 66, -32, 55, -14, 66, -62, 50, 68, 0, -59, -75, -14, -24, 12, -8, -38, 80, -53, 42, -87, 87, 57, 22, -69, -6, 42, -34, -61, 0]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<40x!quant.uniform<i8:f32, 2.500000e-01:-7>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>> {
    %r0 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<40x!quant.uniform<i8:f32, 2.500000e-01:-7>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>) -> ()
  }
}

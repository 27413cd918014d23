// clause: minimum: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[73, -68, -68, -74, -119, -118, -71, -93, -107, 48, 31, -60, -88, 106, 27, 10, -42, 40, -105, 46, -53, 106, 105, -114, 106, -9, -89, 36, -40, -78, -100, -5, 127, 28, -112, 96, 120, 77, -92, -123]> : tensor<40xi8>
// args: dense<[-121, -120, 89, -6, 55, 12, 1, 8, 80, 26, -81, -68, -15, -103, 62, -48, 76, -34, -111, 14, 86, 114, -50, 125, -107, -39, -101, 53, -19, 94, -5, -102, -60, -59, -8, -3, -90, -93, 50, 97]> : tensor<40xi8>
// expect: dense<[-28, -34, -34, -38, -60, -60, -36, -47, -54, 9, -18, -30, -44, -23, 13, -9, -22, -6, -53, 6, -27, 31, -10, -58, -24, -7, -45, 16, -20, -40, -50, -23, -12, -12, -56, 2, -20, -20, -46, -62]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<40x!quant.uniform<i8:f32, 2.500000e-01:-7>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>> {
    %r0 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<40x!quant.uniform<i8:f32, 2.500000e-01:-7>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>) -> ()
  }
}

// clause: add: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-22, -126, 35, -62, 40, 76, -15, 83, -113, 55, -93, -90, -112, 28, -21, 122, -13, -104, 7, -123, -12, 22, -71, 34, 10, 80, 125, -68, 105, 121, 14, 127, 8, -107, -95, -66, 29, 55, 66, -18]> : tensor<40xi8>
// args: dense<[121, -20, 67, -45, 94, -40, -98, -60, 69, -106, -70, -8, 101, 122, 122, 100, -122, 79, 50, -29, 123, 37, 87, -23, -70, 66, 68, 99, -77, -23, -124, 83, -76, -119, 49, 83, -57, -23, 77, 19]> : tensor<40xi8>
// expect: dense<[20, -67, 36, -41, 45, 29, -31, 28, -38, 2, -63, -46, -30, 46, 21, 87, -36, -31, 17, -68, 26, 22, -12, 12, -11, 58, 81, -8, 34, 56, -23, 86, -14, -82, -34, -11, 2, 23, 54, -3]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<40x!quant.uniform<i8:f32, 2.500000e-01:-7>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>> {
    %r0 = "stablehlo.add"(%arg0, %arg1) : (tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<40x!quant.uniform<i8:f32, 2.500000e-01:-7>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>) -> ()
  }
}

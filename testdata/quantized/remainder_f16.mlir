// clause: remainder: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-1, 66, 44, -11, -68, -40, 62, -91, -82, 10, -98, 36, -89, -15, 58, 85, -45, 25, -95, -42, 55, 73, -7, 28, 51, -90, -6, -50, 81, 82, 12, -63, -47, -58, 89, -9, 24, 51, -7, -85]> : tensor<40xi8>
// args: dense<[-58, 28, -13, -60, 38, -36, 57, 2, 1, -45, -87, -95, 62, -22, 28, 80, -23, 49, 36, 84, -94, 24, -97, 44, -34, -74, 39, -9, 2, 41, 46, -20, 16, 46, 1, -58, -54, 35, 9, -22]> : tensor<40xi8>
// expect: dense<[61, 90, 69, 34, -100, -46, 90, 6, -7, 90, -100, 90, -100, 23, 75, 90, -59, 90, 2, -51, 90, 21, 44, 90, 90, -100, 47, -73, 17, 58, 90, -100, 5, -95, 26, 39, 90, 12, 19, 4]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8<-100:90>:f16, 3.000000e-01:-20>>, %arg1: tensor<40x!quant.uniform<i8<-100:90>:f16, 0.69999999999999996:5>>) -> tensor<40x!quant.uniform<i8<-100:90>:f16, 1.100000e-01:9>> {
    %r0 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<40x!quant.uniform<i8<-100:90>:f16, 3.000000e-01:-20>>, tensor<40x!quant.uniform<i8<-100:90>:f16, 0.69999999999999996:5>>) -> tensor<40x!quant.uniform<i8<-100:90>:f16, 1.100000e-01:9>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8<-100:90>:f16, 1.100000e-01:9>>) -> ()
  }
}

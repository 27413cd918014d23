// clause: clamp: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-45, -57, -77, 49, -99, 46, 7, 68, -2, -60, -33, -60, -38, 58, -51, 57, 59, -72, 40, 59, -85, 27, -90, -93, 34, -30, -87, 56, -75, 30, 55, 72, -61, -72, 72, -47, -51, -96, 48, -31]> : tensor<40xi8>
// args: dense<[-88, -33, 84, 75, -74, 71, -59, -37, 38, 50, 23, -33, -90, -15, 88, -66, 86, 22, 36, 1, -61, -52, 28, -78, -9, -50, -18, -22, 15, -7, 5, 14, 71, -56, -43, -33, 1, 85, 85, -65]> : tensor<40xi8>
// args: dense<[-87, 20, 17, -20, 44, -46, 78, 82, 53, 58, -65, -50, -48, 30, -75, -28, 43, 41, -61, -82, -22, -59, -87, -18, -42, 90, 89, 49, 32, -4, 45, -86, 38, -91, 59, -1, -34, 75, 50, -15]> : tensor<40xi8>
// expect: dense<[-100, -92, 90, 9, -100, -62, 83, 90, 90, 90, -100, -100, -67, 90, -100, -13, 90, 90, -100, -100, -100, -97, -100, -100, -51, -18, -100, 90, 73, 53, 90, -100, 90, -100, 90, -65, -29, 90, 90, -21]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8<-100:90>:f16, 3.000000e-01:-20>>, %arg1: tensor<40x!quant.uniform<i8<-100:90>:f16, 0.69999999999999996:5>>, %arg2: tensor<40x!quant.uniform<i8<-100:90>:f16, 3.000000e-01:-20>>) -> tensor<40x!quant.uniform<i8<-100:90>:f16, 1.100000e-01:9>> {
    %r0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<40x!quant.uniform<i8<-100:90>:f16, 3.000000e-01:-20>>, tensor<40x!quant.uniform<i8<-100:90>:f16, 0.69999999999999996:5>>, tensor<40x!quant.uniform<i8<-100:90>:f16, 3.000000e-01:-20>>) -> tensor<40x!quant.uniform<i8<-100:90>:f16, 1.100000e-01:9>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8<-100:90>:f16, 1.100000e-01:9>>) -> ()
  }
}

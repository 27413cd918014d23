// clause: add: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-55, 46, 74, -21, -38, -20, -24, 14, -4, 31, 71, -49, -12, -67, -43, -4, 59, -19, 74, 77, -6, 18, -32, 81, -95, 47, 77, 21, 13, -21, 38, 63, 43, 87, 50, -25, -82, -59, 69, -16]> : tensor<40xi8>
// args: dense<[-75, -15, 19, -36, -54, -25, 2, -3, -91, -9, -20, -59, -62, 54, -31, -8, -100, 60, 60, -78, -66, -12, -93, -39, -86, -21, 65, 36, 56, -55, -62, -16, -65, 38, -80, -15, 20, -46, 34, 46]> : tensor<40xi8>
// expect: dense<[-100, 62, 90, -100, -100, -100, -21, 51, -100, 59, 90, -100, -100, 90, -100, -30, -100, 90, 90, -100, -100, 4, -100, 4, -100, 26, 90, 90, 90, -100, -100, 90, -100, 90, -100, -100, -65, -100, 90, 90]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8<-100:90>:f16, 3.000000e-01:-20>>, %arg1: tensor<40x!quant.uniform<i8<-100:90>:f16, 0.69999999999999996:5>>) -> tensor<40x!quant.uniform<i8<-100:90>:f16, 1.100000e-01:9>> {
    %r0 = "stablehlo.add"(%arg0, %arg1) : (tensor<40x!quant.uniform<i8<-100:90>:f16, 3.000000e-01:-20>>, tensor<40x!quant.uniform<i8<-100:90>:f16, 0.69999999999999996:5>>) -> tensor<40x!quant.uniform<i8<-100:90>:f16, 1.100000e-01:9>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8<-100:90>:f16, 1.100000e-01:9>>) -> ()
  }
}

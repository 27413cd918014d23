// clause: divide: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[43, 37, 41, 25, 53, 50, 69, -59, 55, -20, -73, -53, -50, -61, 49, -53, -80, -80, -26, -9, -56, 14, 47, -46, 48, -76, 67, 79, 54, -56, -86, -25, 31, 88, 88, 21, -58, 39, -28, 16]> : tensor<40xi8>
// args: dense<[-22, -48, 72, -99, 28, 24, 12, -87, 86, 10, -28, 20, -35, 37, 62, -39, 42, -94, -66, -10, -87, -96, -27, -32, -79, 88, -48, 71, -65, 24, 89, -25, -26, 62, 51, 17, -80, 32, 85, 89]> : tensor<40xi8>
// expect: dense<[0, 5, 13, 7, 21, 23, 58, 11, 13, 9, 15, 0, 12, 4, 14, 12, 3, 11, 9, 6, 11, 8, 1, 12, 6, 6, 3, 15, 5, 2, 6, 10, 3, 16, 18, 22, 11, 18, 9, 11]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8<-100:90>:f16, 3.000000e-01:-20>>, %arg1: tensor<40x!quant.uniform<i8<-100:90>:f16, 0.69999999999999996:5>>) -> tensor<40x!quant.uniform<i8<-100:90>:f16, 1.100000e-01:9>> {
    %r0 = "stablehlo.divide"(%arg0, %arg1) : (tensor<40x!quant.uniform<i8<-100:90>:f16, 3.000000e-01:-20>>, tensor<40x!quant.uniform<i8<-100:90>:f16, 0.69999999999999996:5>>) -> tensor<40x!quant.uniform<i8<-100:90>:f16, 1.100000e-01:9>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8<-100:90>:f16, 1.100000e-01:9>>) -> ()
  }
}

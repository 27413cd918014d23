// clause: minimum: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-22, 7, 22, 64, -85, 76, 56, 45, 26, -56, 31, -11, 54, -29, 77, -16, -11, 78, 79, -59, -9, -47, 19, -77, 73, 50, 21, 66, 38, 24, 30, -22, 45, -42, -68, -24, -91, 14, -96, 20]> : tensor<40xi8>
// args: dense<[-82, 83, -13, -97, 55, -66, 41, 37, -100, 39, -76, -32, 42, 63, 45, 15, 83, 17, -83, 20, 39, -57, 61, -42, 84, -32, 37, -1, 19, 29, 56, -18, -50, -3, 9, 76, -13, -96, -87, -100]> : tensor<40xi8>
// expect: dense<[-100, 83, -100, -100, -100, -100, 90, 90, -100, -89, -100, -100, 90, -16, 90, 20, 34, 85, -100, -97, 39, -100, 90, -100, 90, -100, 90, -29, 90, 90, 90, -100, -100, -51, -100, -2, -100, -100, -100, -100]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8<-100:90>:f16, 3.000000e-01:-20>>, %arg1: tensor<40x!quant.uniform<i8<-100:90>:f16, 0.69999999999999996:5>>) -> tensor<40x!quant.uniform<i8<-100:90>:f16, 1.100000e-01:9>> {
    %r0 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<40x!quant.uniform<i8<-100:90>:f16, 3.000000e-01:-20>>, tensor<40x!quant.uniform<i8<-100:90>:f16, 0.69999999999999996:5>>) -> tensor<40x!quant.uniform<i8<-100:90>:f16, 1.100000e-01:9>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8<-100:90>:f16, 1.100000e-01:9>>) -> ()
  }
}

// clause: maximum: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-76, 16, -62, -73, -83, -97, 89, -30, 46, -43, 88, -65, -93, 75, -93, 12, 31, 74, 62, 62, 35, -23, -72, 81, -88, 75, 65, -31, -27, -97, -21, 24, 81, 71, -86, 18, 46, -59, 17, 21]> : tensor<40xi8>
// args: dense<[-74, 3, 85, 28, 63, -83, 88, 55, 77, -73, -5, -52, -3, -43, -45, -12, -63, 13, 0, -7, 59, -74, -53, 1, -16, -58, -90, 46, 67, -58, -10, -37, 9, -73, 74, 68, 31, 7, 82, -46]> : tensor<40xi8>
// expect: dense<[-100, 90, 90, 90, 90, -100, 90, 90, 90, -54, 90, -100, -42, 90, -100, 90, 90, 90, 90, 90, 90, 1, -100, 90, -100, 90, 90, 90, 90, -100, 6, 90, 90, 90, 90, 90, 90, 22, 90, 90]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8<-100:90>:f16, 3.000000e-01:-20>>, %arg1: tensor<40x!quant.uniform<i8<-100:90>:f16, 0.69999999999999996:5>>) -> tensor<40x!quant.uniform<i8<-100:90>:f16, 1.100000e-01:9>> {
    %r0 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<40x!quant.uniform<i8<-100:90>:f16, 3.000000e-01:-20>>, tensor<40x!quant.uniform<i8<-100:90>:f16, 0.69999999999999996:5>>) -> tensor<40x!quant.uniform<i8<-100:90>:f16, 1.100000e-01:9>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8<-100:90>:f16, 1.100000e-01:9>>) -> ()
  }
}

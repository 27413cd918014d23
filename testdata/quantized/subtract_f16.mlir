// clause: subtract: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[34, 52, -35, -11, -32, 73, -76, 30, 2, -63, 56, 60, -9, -78, 42, -57, 89, -67, 5, -57, 74, 16, -49, -63, -55, -70, 35, 56, 11, 55, 53, -74, -9, 21, 45, 57, -44, 5, -35, -68]> : tensor<40xi8>
// args: dense<[-99, -34, 72, -91, 17, -78, -16, 34, -73, -13, 38, -7, 57, -90, -7, 69, -42, -27, -26, -88, 6, 45, 2, 25, 89, -73, 60, -98, -68, -84, 72, 63, 69, -69, -53, -46, -7, -33, -39, -97]> : tensor<40xi8>
// expect: dense<[90, 90, -100, 90, -100, 90, -10, -39, 90, 6, 6, 90, -100, 90, 90, -100, 90, 84, 90, 90, 90, -100, -51, -100, -100, 90, -100, 90, 90, 90, -100, -100, -100, 90, 90, 90, 20, 90, 90, 90]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8<-100:90>:f16, 3.000000e-01:-20>>, %arg1: tensor<40x!quant.uniform<i8<-100:90>:f16, 0.69999999999999996:5>>) -> tensor<40x!quant.uniform<i8<-100:90>:f16, 1.100000e-01:9>> {
    %r0 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<40x!quant.uniform<i8<-100:90>:f16, 3.000000e-01:-20>>, tensor<40x!quant.uniform<i8<-100:90>:f16, 0.69999999999999996:5>>) -> tensor<40x!quant.uniform<i8<-100:90>:f16, 1.100000e-01:9>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8<-100:90>:f16, 1.100000e-01:9>>) -> ()
  }
}

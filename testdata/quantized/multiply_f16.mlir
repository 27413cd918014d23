// clause: multiply: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[17, -39, -39, -78, -75, -63, -50, 87, -92, -63, 6, 38, -82, -51, 67, -24, 31, 28, 73, 9, -22, -51, -8, 78, 67, -78, 60, 81, -40, -4, -81, -58, 70, -44, 11, 34, -94, 58, 28, -74]> : tensor<40xi8>
// args: dense<[-79, -53, 40, 34, 75, 39, -12, -65, 13, 61, 16, -65, -1, -47, -74, 73, 84, 81, -100, -88, -5, 53, -90, -24, -23, -48, -53, -1, -38, -38, 63, -40, 85, 71, -97, -100, 51, 58, -99, -20]> : tensor<40xi8>
// expect: dense<[-100, 90, -100, -100, -100, -100, 90, -100, -100, -100, 90, -100, 90, 90, -100, -100, 90, 90, -100, -100, 47, -100, -100, -100, -100, 90, -100, -100, 90, -100, -100, 90, 90, -100, -100, -100, -100, 90, -100, 90]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8<-100:90>:f16, 3.000000e-01:-20>>, %arg1: tensor<40x!quant.uniform<i8<-100:90>:f16, 0.69999999999999996:5>>) -> tensor<40x!quant.uniform<i8<-100:90>:f16, 1.100000e-01:9>> {
    %r0 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<40x!quant.uniform<i8<-100:90>:f16, 3.000000e-01:-20>>, tensor<40x!quant.uniform<i8<-100:90>:f16, 0.69999999999999996:5>>) -> tensor<40x!quant.uniform<i8<-100:90>:f16, 1.100000e-01:9>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8<-100:90>:f16, 1.100000e-01:9>>) -> ()
  }
}

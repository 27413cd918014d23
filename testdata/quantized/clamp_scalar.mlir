// clause: clamp: dequantize_op_quantize
// One bound for all, in another scale than the operand.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<-5> : tensor<i8>
// args: dense<[77, 54, -99, -118, -99, -77, -75, 58, 48, -64, 107, -121, -103, -40, 54, 114, -71, -107, 52, 104, -10, 122, 67, -27, 116, -23, -78, -99, -108, -77, -61, -17, 24, -50, -43, -28, -86, -68, 47, -26]> : tensor<40xi8>
// args: dense<20> : tensor<i8>
// expect: dense<[10, 10, -3, -3, -3, -3, -3, 10, 10, -3, 10, -3, -3, -3, 10, 10, -3, -3, 10, 10, 0, 10, 10, -3, 10, -3, -3, -3, -3, -3, -3, -2, 9, -3, -3, -3, -3, -3, 10, -3]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<40x!quant.uniform<i8:f32, 2.500000e-01:-7>>, %arg2: tensor<!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>> {
    %r0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<40x!quant.uniform<i8:f32, 2.500000e-01:-7>>, tensor<!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>) -> ()
  }
}

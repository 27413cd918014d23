// clause: cosine: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-58, -71, 109, -109, 55, -31, -77, 99, 3, 53, 89, 86, 94, -75, 4, 11, 98, -68, -118, -115, 124, -118, 1, 90, 84, -115, 110, -61, -11, 70, 56, 108, 67, 31, -3, 97, -111, -28, 15, 62]> : tensor<40xi8>
// expect: dense<[2, 2, 0, 2, 2, 1, 0, 0, 2, 2, 2, 0, 1, 1, 2, 0, 0, 0, 0, 0, 0, 0, 2, 2, 0, 0, 0, 2, 2, 1, 1, 0, 2, 1, 0, 0, 2, 0, 2, 1]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>> {
    %r0 = "stablehlo.cosine"(%arg0) : (tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>) -> ()
  }
}

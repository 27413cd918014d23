// clause: sqrt: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[99, 93, 39, -87, 83, 116, -81, -29, -66, -7, -32, 47, -62, -110, -7, -81, 63, 17, 26, 21, 7, -9, 108, -110, 61, -124, 68, -115, 107, 6, 95, 82, 24, -85, -33, -93, 105, -7, -92, -101]> : tensor<40xi8>
// expect: dense<[8, 8, 5, 0, 7, 9, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 6, 4, 4, 4, 2, 0, 8, 0, 6, 0, 7, 0, 8, 2, 8, 7, 4, 0, 0, 0, 8, 0, 0, 0]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>> {
    %r0 = "stablehlo.sqrt"(%arg0) : (tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>) -> ()
  }
}

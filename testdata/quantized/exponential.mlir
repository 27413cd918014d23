// clause: exponential: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-60, 65, -95, 9, -74, -99, -104, 74, -2, 121, 20, -57, -33, 35, -60, -75, 122, 103, -92, 29, 127, 116, 40, -58, -42, 59, -28, 7, 94, 52, 47, -61, -31, -63, -41, -36, -89, 112, 103, -42]> : tensor<40xi8>
// expect: dense<[1, 127, 1, 21, 1, 1, 1, 127, 1, 127, 127, 1, 1, 127, 1, 1, 127, 127, 1, 127, 127, 127, 127, 1, 1, 127, 1, 8, 127, 127, 127, 1, 1, 1, 1, 1, 1, 127, 127, 1]> : tensor<40xi8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>> {
    %r0 = "stablehlo.exponential"(%arg0) : (tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<i8:f32, 1.000000e+00:1>>) -> ()
  }
}

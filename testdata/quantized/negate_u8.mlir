// clause: negate: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[239, 37, 22, 213, 118, 84, 95, 247, 244, 48, 178, 194, 249, 236, 8, 117, 25, 195, 116, 124, 207, 188, 213, 219, 217, 29, 221, 56, 76, 191, 94, 98, 179, 132, 202, 168, 164, 241, 129, 248]> : tensor<40xui8>
// expect: dense<[82, 115, 118, 86, 102, 107, 106, 80, 81, 113, 92, 89, 80, 82, 120, 102, 117, 89, 102, 101, 87, 90, 86, 85, 85, 116, 84, 112, 109, 90, 106, 105, 92, 99, 88, 93, 94, 81, 100, 80]> : tensor<40xui8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>> {
    %r0 = "stablehlo.negate"(%arg0) : (tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>) -> ()
  }
}

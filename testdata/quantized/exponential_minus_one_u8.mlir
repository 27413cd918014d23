// clause: exponential_minus_one: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[17, 204, 12, 36, 236, 5, 103, 134, 105, 123, 204, 62, 124, 138, 230, 182, 8, 31, 82, 199, 215, 61, 94, 54, 164, 148, 188, 171, 99, 253, 42, 54, 249, 210, 21, 73, 193, 43, 147, 229]> : tensor<40xui8>
// expect: dense<[97, 246, 97, 97, 255, 97, 98, 101, 98, 99, 246, 97, 99, 102, 255, 146, 97, 97, 97, 213, 255, 97, 97, 97, 117, 106, 164, 125, 97, 255, 97, 97, 255, 255, 97, 97, 183, 97, 105, 255]> : tensor<40xui8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>> {
    %r0 = "stablehlo.exponential_minus_one"(%arg0) : (tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>) -> ()
  }
}

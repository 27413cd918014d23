// clause: tanh: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[186, 42, 2, 158, 155, 121, 27, 227, 115, 199, 178, 128, 187, 244, 36, 22, 31, 189, 187, 48, 39, 47, 191, 235, 93, 229, 209, 4, 165, 234, 56, 178, 58, 218, 31, 143, 70, 166, 240, 173]> : tensor<40xui8>
// expect: dense<[103, 97, 97, 103, 103, 99, 97, 103, 98, 103, 103, 100, 103, 103, 97, 97, 97, 103, 103, 97, 97, 97, 103, 103, 97, 103, 103, 97, 103, 103, 97, 103, 97, 103, 97, 102, 97, 103, 103, 103]> : tensor<40xui8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>> {
    %r0 = "stablehlo.tanh"(%arg0) : (tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>) -> ()
  }
}

// clause: sign: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[31, 214, 62, 10, 239, 143, 28, 78, 81, 199, 123, 68, 8, 41, 220, 139, 129, 197, 205, 78, 215, 27, 51, 13, 181, 12, 200, 131, 153, 209, 231, 156, 184, 32, 36, 185, 192, 169, 127, 163]> : tensor<40xui8>
// expect: dense<[97, 103, 97, 97, 103, 103, 97, 97, 97, 103, 97, 97, 97, 97, 103, 103, 103, 103, 103, 97, 103, 97, 97, 97, 103, 97, 103, 103, 103, 103, 103, 103, 103, 97, 97, 103, 103, 103, 97, 103]> : tensor<40xui8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>> {
    %r0 = "stablehlo.sign"(%arg0) : (tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>) -> ()
  }
}

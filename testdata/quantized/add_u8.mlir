// clause: add: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[236, 52, 123, 188, 158, 204, 142, 255, 18, 119, 227, 2, 142, 1, 199, 173, 4, 80, 219, 18, 247, 13, 86, 166, 189, 37, 38, 145, 234, 120, 29, 125, 249, 44, 89, 113, 239, 224, 75, 97]> : tensor<40xui8>
// args: dense<[35, 2, 192, 31, 65, 24, 61, 63, 180, 101, 196, 194, 172, 181, 142, 25, 133, 143, 11, 49, 152, 254, 156, 92, 62, 42, 228, 18, 131, 61, 27, 96, 111, 244, 176, 178, 231, 111, 134, 251]> : tensor<40xui8>
// expect: dense<[126, 85, 160, 117, 123, 117, 119, 139, 138, 129, 178, 140, 156, 136, 156, 112, 120, 136, 116, 95, 167, 162, 142, 134, 128, 96, 158, 106, 158, 116, 89, 128, 154, 164, 149, 154, 192, 150, 132, 175]> : tensor<40xui8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>, %arg1: tensor<40x!quant.uniform<u8:f32, 1.000000e-01:10>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>> {
    %r0 = "stablehlo.add"(%arg0, %arg1) : (tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<40x!quant.uniform<u8:f32, 1.000000e-01:10>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>) -> ()
  }
}

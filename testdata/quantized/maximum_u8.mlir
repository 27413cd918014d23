// clause: maximum: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[247, 163, 204, 183, 19, 227, 119, 187, 219, 18, 6, 244, 214, 255, 44, 190, 170, 102, 181, 229, 21, 231, 138, 249, 178, 46, 172, 72, 249, 142, 46, 108, 228, 165, 61, 184, 77, 148, 16, 178]> : tensor<40xui8>
// args: dense<[19, 207, 95, 34, 231, 84, 179, 97, 176, 85, 48, 254, 137, 96, 35, 231, 39, 106, 177, 50, 247, 138, 115, 191, 142, 79, 34, 7, 104, 72, 114, 70, 34, 111, 109, 7, 143, 158, 37, 247]> : tensor<40xui8>
// expect: dense<[120, 166, 128, 109, 174, 125, 156, 129, 155, 125, 113, 181, 142, 129, 108, 174, 110, 132, 156, 117, 179, 143, 135, 160, 144, 123, 108, 99, 131, 121, 135, 120, 117, 134, 133, 109, 144, 149, 109, 179]> : tensor<40xui8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>, %arg1: tensor<40x!quant.uniform<u8:f32, 1.000000e-01:10>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>> {
    %r0 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<40x!quant.uniform<u8:f32, 1.000000e-01:10>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>) -> ()
  }
}

// clause: multiply: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[98, 255, 86, 184, 100, 211, 76, 252, 42, 138, 9, 5, 196, 115, 33, 64, 100, 204, 210, 135, 195, 253, 90, 46, 153, 148, 102, 142, 41, 79, 218, 242, 109, 111, 100, 19, 135, 211, 165, 203]> : tensor<40xui8>
// args: dense<[34, 85, 143, 115, 164, 176, 21, 207, 223, 61, 146, 179, 36, 120, 92, 48, 101, 245, 153, 11, 40, 93, 201, 148, 90, 233, 89, 213, 47, 198, 32, 86, 112, 52, 134, 76, 251, 40, 71, 83]> : tensor<40xui8>
// expect: dense<[88, 255, 7, 198, 28, 255, 90, 255, 0, 108, 0, 0, 129, 76, 0, 59, 58, 255, 255, 100, 134, 255, 0, 0, 133, 174, 66, 147, 46, 0, 133, 244, 68, 88, 42, 0, 128, 142, 138, 191]> : tensor<40xui8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>, %arg1: tensor<40x!quant.uniform<u8:f32, 1.000000e-01:10>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>> {
    %r0 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<40x!quant.uniform<u8:f32, 1.000000e-01:10>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>) -> ()
  }
}

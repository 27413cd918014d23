// clause: clamp: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[177, 190, 119, 194, 237, 24, 88, 176, 8, 215, 194, 210, 27, 181, 248, 253, 10, 66, 104, 214, 52, 88, 183, 164, 37, 103, 154, 68, 131, 150, 213, 136, 77, 194, 207, 19, 190, 160, 174, 190]> : tensor<40xui8>
// args: dense<[179, 169, 238, 34, 185, 156, 62, 87, 29, 229, 144, 251, 73, 219, 36, 253, 223, 136, 130, 191, 35, 34, 114, 128, 208, 252, 119, 157, 50, 67, 191, 125, 66, 25, 197, 30, 145, 26, 209, 158]> : tensor<40xui8>
// args: dense<[100, 212, 68, 244, 115, 97, 22, 93, 221, 232, 97, 183, 178, 231, 56, 163, 217, 191, 97, 235, 118, 53, 208, 59, 103, 134, 93, 6, 159, 6, 30, 170, 167, 41, 99, 193, 146, 126, 117, 191]> : tensor<40xui8>
// expect: dense<[95, 114, 90, 111, 98, 95, 82, 94, 106, 117, 95, 109, 108, 117, 88, 106, 115, 110, 95, 118, 98, 88, 113, 88, 96, 101, 94, 80, 105, 80, 84, 107, 106, 86, 95, 107, 103, 100, 98, 110]> : tensor<40xui8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>, %arg1: tensor<40x!quant.uniform<u8:f32, 1.000000e-01:10>>, %arg2: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>> {
    %r0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<40x!quant.uniform<u8:f32, 1.000000e-01:10>>, tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>) -> ()
  }
}

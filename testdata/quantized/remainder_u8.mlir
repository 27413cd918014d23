// clause: remainder: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[232, 163, 200, 113, 40, 91, 254, 31, 108, 85, 191, 189, 198, 92, 53, 96, 42, 80, 79, 244, 245, 193, 30, 204, 172, 38, 151, 11, 123, 135, 20, 233, 143, 10, 207, 122, 212, 97, 117, 173]> : tensor<40xui8>
// args: dense<[22, 24, 97, 93, 108, 139, 35, 117, 5, 142, 13, 136, 176, 110, 100, 237, 50, 6, 232, 114, 232, 108, 212, 51, 130, 173, 161, 121, 162, 228, 248, 144, 250, 132, 49, 48, 218, 99, 74, 37]> : tensor<40xui8>
// expect: dense<[101, 101, 112, 98, 85, 94, 104, 84, 100, 93, 100, 110, 112, 94, 88, 95, 99, 100, 92, 119, 120, 111, 84, 113, 107, 85, 104, 80, 99, 101, 82, 118, 102, 80, 100, 99, 114, 95, 98, 108]> : tensor<40xui8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>, %arg1: tensor<40x!quant.uniform<u8:f32, 1.000000e-01:10>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>> {
    %r0 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<40x!quant.uniform<u8:f32, 1.000000e-01:10>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>) -> ()
  }
}

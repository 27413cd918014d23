// clause: minimum: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[161, 163, 3, 77, 228, 114, 249, 63, 210, 123, 125, 28, 153, 55, 138, 8, 88, 244, 2, 239, 215, 24, 255, 13, 50, 62, 236, 192, 187, 141, 12, 0, 124, 64, 220, 6, 18, 222, 97, 71]> : tensor<40xui8>
// args: dense<[104, 22, 81, 151, 248, 214, 51, 25, 173, 86, 26, 248, 39, 29, 51, 172, 61, 156, 115, 65, 205, 203, 52, 205, 246, 130, 96, 30, 165, 127, 194, 96, 66, 245, 149, 1, 16, 48, 42, 82]> : tensor<40xui8>
// expect: dense<[106, 104, 79, 92, 117, 98, 114, 89, 114, 99, 100, 83, 104, 88, 102, 80, 93, 119, 79, 118, 114, 83, 114, 81, 87, 89, 118, 107, 110, 102, 81, 79, 99, 89, 115, 80, 82, 113, 95, 90]> : tensor<40xui8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>, %arg1: tensor<40x!quant.uniform<u8:f32, 1.000000e-01:10>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>> {
    %r0 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<40x!quant.uniform<u8:f32, 1.000000e-01:10>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>) -> ()
  }
}

// clause: subtract: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[121, 249, 206, 69, 36, 115, 248, 107, 210, 209, 117, 221, 172, 34, 179, 196, 172, 120, 238, 109, 95, 49, 106, 102, 107, 194, 180, 103, 168, 6, 252, 58, 118, 0, 153, 82, 197, 48, 151, 49]> : tensor<40xui8>
// args: dense<[39, 120, 51, 196, 122, 219, 81, 60, 9, 217, 8, 19, 222, 180, 51, 6, 234, 35, 31, 106, 170, 1, 181, 24, 223, 228, 247, 119, 195, 208, 36, 114, 144, 171, 43, 209, 83, 225, 141, 118]> : tensor<40xui8>
// expect: dense<[89, 84, 99, 28, 47, 28, 96, 80, 114, 44, 99, 112, 37, 28, 95, 113, 33, 90, 111, 65, 41, 90, 39, 91, 26, 38, 30, 60, 45, 14, 112, 54, 54, 25, 93, 26, 87, 15, 60, 51]> : tensor<40xui8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>, %arg1: tensor<40x!quant.uniform<u8:f32, 1.000000e-01:10>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>> {
    %r0 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<40x!quant.uniform<u8:f32, 1.000000e-01:10>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>) -> ()
  }
}

// clause: divide: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[33, 117, 144, 94, 183, 215, 214, 227, 27, 78, 240, 188, 92, 188, 27, 67, 93, 3, 19, 227, 80, 123, 16, 143, 44, 0, 175, 186, 240, 117, 239, 73, 20, 122, 105, 232, 0, 57, 35, 71]> : tensor<40xui8>
// args: dense<[5, 95, 75, 63, 214, 219, 168, 86, 100, 198, 208, 125, 181, 134, 56, 101, 13, 125, 101, 146, 86, 79, 246, 171, 241, 0, 32, 227, 47, 16, 117, 239, 186, 82, 217, 63, 157, 47, 125, 42]> : tensor<40xui8>
// expect: dense<[132, 100, 100, 99, 100, 101, 101, 102, 98, 100, 101, 101, 100, 101, 96, 99, 81, 98, 98, 101, 99, 100, 99, 100, 99, 121, 104, 100, 105, 97, 102, 100, 99, 100, 100, 103, 99, 97, 99, 97]> : tensor<40xui8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>, %arg1: tensor<40x!quant.uniform<u8:f32, 1.000000e-01:10>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>> {
    %r0 = "stablehlo.divide"(%arg0, %arg1) : (tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<40x!quant.uniform<u8:f32, 1.000000e-01:10>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>) -> ()
  }
}

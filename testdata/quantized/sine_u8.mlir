// clause: sine: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[252, 150, 154, 248, 16, 103, 122, 37, 6, 100, 31, 84, 71, 172, 27, 71, 121, 190, 60, 191, 150, 115, 12, 248, 28, 183, 198, 102, 126, 139, 199, 199, 137, 233, 65, 103, 80, 32, 238, 48]> : tensor<40xui8>
// expect: dense<[100, 103, 103, 99, 102, 97, 99, 103, 101, 97, 103, 97, 99, 103, 103, 99, 99, 100, 101, 100, 103, 98, 102, 99, 103, 101, 99, 97, 100, 102, 99, 99, 101, 97, 100, 97, 98, 103, 98, 103]> : tensor<40xui8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>> {
    %r0 = "stablehlo.sine"(%arg0) : (tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>) -> ()
  }
}

// clause: round_nearest_even: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[148, 61, 118, 93, 99, 136, 67, 11, 170, 253, 113, 12, 12, 31, 78, 69, 213, 89, 36, 0, 231, 82, 38, 69, 47, 145, 68, 88, 205, 65, 178, 224, 209, 250, 52, 139, 111, 149, 10, 164]> : tensor<40xui8>
// expect: dense<[103, 90, 100, 93, 97, 100, 90, 80, 107, 120, 97, 80, 80, 83, 93, 90, 113, 93, 83, 80, 117, 93, 87, 90, 87, 103, 90, 93, 113, 90, 107, 117, 113, 120, 87, 103, 97, 103, 80, 107]> : tensor<40xui8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>> {
    %r0 = "stablehlo.round_nearest_even"(%arg0) : (tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>) -> ()
  }
}

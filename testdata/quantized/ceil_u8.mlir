// clause: ceil: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[219, 204, 197, 164, 223, 127, 61, 61, 98, 219, 103, 50, 209, 66, 139, 194, 147, 8, 199, 236, 101, 230, 249, 237, 220, 236, 160, 101, 42, 200, 97, 97, 58, 21, 178, 94, 253, 0, 175, 128]> : tensor<40xui8>
// expect: dense<[117, 113, 113, 107, 117, 100, 90, 90, 97, 117, 97, 90, 117, 90, 103, 113, 103, 80, 113, 120, 97, 120, 123, 120, 117, 120, 107, 97, 87, 113, 97, 97, 90, 83, 110, 97, 123, 80, 110, 100]> : tensor<40xui8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>> {
    %r0 = "stablehlo.ceil"(%arg0) : (tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>) -> ()
  }
}

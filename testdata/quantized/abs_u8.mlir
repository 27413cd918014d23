// clause: abs: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[242, 37, 95, 172, 230, 33, 20, 188, 228, 192, 145, 8, 247, 37, 85, 188, 219, 214, 174, 160, 63, 183, 96, 172, 126, 203, 96, 48, 181, 121, 104, 178, 151, 242, 79, 102, 229, 101, 52, 241]> : tensor<40xui8>
// expect: dense<[119, 115, 106, 107, 117, 116, 118, 110, 117, 111, 103, 120, 120, 115, 107, 110, 115, 114, 108, 105, 111, 109, 105, 107, 100, 112, 105, 113, 109, 101, 104, 108, 104, 119, 108, 104, 117, 104, 113, 119]> : tensor<40xui8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>> {
    %r0 = "stablehlo.abs"(%arg0) : (tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>) -> ()
  }
}

// clause: sqrt: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[201, 254, 201, 63, 61, 125, 45, 6, 145, 9, 22, 186, 205, 118, 104, 253, 155, 109, 101, 109, 62, 12, 18, 255, 234, 7, 207, 31, 122, 43, 181, 198, 154, 216, 192, 208, 198, 222, 106, 171]> : tensor<40xui8>
// expect: dense<[106, 108, 106, 0, 0, 0, 0, 0, 103, 0, 0, 106, 107, 0, 0, 108, 104, 0, 0, 0, 0, 0, 0, 108, 108, 0, 107, 0, 0, 0, 105, 106, 104, 107, 106, 107, 106, 107, 0, 105]> : tensor<40xui8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>> {
    %r0 = "stablehlo.sqrt"(%arg0) : (tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>) -> ()
  }
}

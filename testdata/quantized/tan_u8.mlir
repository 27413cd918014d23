// clause: tan: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[248, 164, 151, 215, 58, 105, 65, 233, 29, 89, 62, 1, 66, 72, 24, 205, 122, 88, 34, 243, 50, 48, 154, 73, 28, 119, 42, 15, 232, 72, 231, 227, 105, 123, 157, 20, 71, 197, 237, 187]> : tensor<40xui8>
// expect: dense<[99, 86, 107, 109, 99, 93, 100, 94, 114, 108, 99, 100, 100, 101, 106, 103, 99, 107, 0, 98, 97, 96, 112, 101, 111, 98, 92, 102, 94, 101, 93, 86, 93, 99, 127, 104, 101, 101, 96, 99]> : tensor<40xui8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>> {
    %r0 = "stablehlo.tan"(%arg0) : (tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>) -> ()
  }
}

// clause: cbrt: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[49, 31, 156, 74, 239, 165, 100, 230, 41, 170, 168, 74, 171, 133, 107, 212, 142, 118, 237, 199, 239, 119, 22, 75, 193, 35, 240, 28, 29, 197, 120, 181, 219, 188, 226, 67, 165, 106, 4, 44]> : tensor<40xui8>
// expect: dense<[95, 94, 104, 95, 106, 104, 96, 106, 95, 104, 104, 95, 104, 102, 97, 105, 103, 97, 106, 105, 106, 97, 94, 95, 105, 94, 106, 94, 94, 105, 98, 105, 106, 105, 106, 95, 104, 97, 94, 95]> : tensor<40xui8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>> {
    %r0 = "stablehlo.cbrt"(%arg0) : (tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>) -> ()
  }
}

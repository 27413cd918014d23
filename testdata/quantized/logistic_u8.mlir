// clause: logistic: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[246, 37, 133, 24, 30, 221, 32, 188, 6, 183, 106, 157, 92, 170, 236, 73, 228, 242, 184, 110, 25, 159, 152, 86, 62, 241, 166, 79, 12, 103, 143, 125, 15, 206, 202, 138, 17, 138, 181, 43]> : tensor<40xui8>
// expect: dense<[103, 100, 102, 100, 100, 103, 100, 103, 100, 103, 101, 103, 100, 103, 103, 100, 103, 103, 103, 101, 100, 103, 103, 100, 100, 103, 103, 100, 100, 101, 102, 102, 100, 103, 103, 102, 100, 102, 103, 100]> : tensor<40xui8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>> {
    %r0 = "stablehlo.logistic"(%arg0) : (tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>) -> ()
  }
}

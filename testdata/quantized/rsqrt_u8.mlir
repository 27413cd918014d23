// clause: rsqrt: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[119, 46, 190, 7, 236, 20, 74, 205, 124, 197, 104, 7, 30, 19, 103, 242, 100, 229, 93, 113, 154, 94, 91, 177, 32, 207, 139, 167, 28, 44, 178, 31, 165, 17, 200, 149, 171, 105, 245, 211]> : tensor<40xui8>
// expect: dense<[0, 0, 102, 0, 101, 0, 0, 102, 0, 102, 0, 0, 0, 0, 0, 101, 0, 101, 0, 0, 103, 0, 0, 102, 0, 102, 104, 102, 0, 0, 102, 0, 102, 0, 102, 103, 102, 0, 101, 102]> : tensor<40xui8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>> {
    %r0 = "stablehlo.rsqrt"(%arg0) : (tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>) -> ()
  }
}

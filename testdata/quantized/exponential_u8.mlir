// clause: exponential: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[63, 122, 74, 64, 154, 17, 238, 106, 119, 126, 187, 66, 10, 141, 60, 236, 85, 22, 13, 224, 85, 155, 221, 190, 45, 209, 138, 251, 46, 230, 27, 217, 243, 194, 63, 209, 236, 149, 27, 66]> : tensor<40xui8>
// expect: dense<[100, 102, 100, 100, 112, 100, 255, 101, 102, 103, 164, 100, 100, 106, 100, 255, 100, 100, 100, 255, 100, 113, 255, 174, 100, 255, 105, 255, 100, 255, 100, 255, 255, 190, 100, 255, 255, 110, 100, 100]> : tensor<40xui8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>> {
    %r0 = "stablehlo.exponential"(%arg0) : (tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>) -> ()
  }
}

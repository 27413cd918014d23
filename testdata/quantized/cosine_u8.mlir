// clause: cosine: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[65, 38, 201, 191, 93, 173, 103, 205, 35, 192, 255, 60, 35, 53, 104, 46, 192, 213, 135, 170, 113, 94, 33, 4, 52, 173, 184, 35, 183, 142, 231, 46, 212, 33, 70, 243, 22, 245, 143, 105]> : tensor<40xui8>
// expect: dense<[97, 99, 97, 97, 99, 98, 101, 97, 100, 97, 103, 97, 100, 97, 101, 98, 97, 99, 103, 98, 102, 100, 100, 103, 97, 98, 97, 100, 97, 103, 101, 98, 98, 100, 97, 103, 102, 103, 102, 101]> : tensor<40xui8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>> {
    %r0 = "stablehlo.cosine"(%arg0) : (tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>) -> ()
  }
}

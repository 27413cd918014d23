// clause: log_plus_one: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[195, 197, 153, 254, 40, 145, 130, 206, 132, 48, 229, 203, 23, 201, 27, 201, 18, 207, 124, 49, 172, 3, 103, 24, 236, 38, 224, 147, 187, 220, 219, 137, 150, 178, 52, 225, 11, 248, 42, 123]> : tensor<40xui8>
// expect: dense<[105, 105, 103, 107, 0, 102, 100, 105, 101, 0, 106, 105, 0, 105, 0, 105, 0, 105, 99, 0, 104, 0, 0, 0, 106, 0, 106, 102, 105, 106, 106, 101, 102, 104, 0, 106, 0, 106, 0, 99]> : tensor<40xui8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>> {
    %r0 = "stablehlo.log_plus_one"(%arg0) : (tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>) -> ()
  }
}

// clause: log: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[98, 240, 88, 157, 195, 167, 75, 118, 55, 192, 103, 37, 36, 163, 89, 69, 191, 20, 101, 29, 236, 69, 143, 254, 161, 245, 150, 66, 212, 9, 130, 151, 159, 195, 15, 121, 111, 58, 233, 8]> : tensor<40xui8>
// expect: dense<[0, 106, 0, 101, 104, 102, 0, 0, 0, 104, 0, 0, 0, 102, 0, 0, 104, 0, 0, 0, 106, 0, 99, 106, 102, 106, 100, 0, 105, 0, 92, 100, 101, 104, 0, 0, 0, 0, 106, 0]> : tensor<40xui8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>> {
    %r0 = "stablehlo.log"(%arg0) : (tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>) -> ()
  }
}

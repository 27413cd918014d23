// clause: floor: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[245, 160, 34, 195, 214, 76, 94, 58, 31, 91, 17, 9, 1, 85, 245, 208, 226, 205, 28, 146, 125, 76, 200, 16, 223, 103, 120, 12, 177, 228, 133, 127, 135, 94, 63, 126, 149, 228, 180, 12]> : tensor<40xui8>
// expect: dense<[117, 103, 83, 110, 113, 90, 93, 87, 83, 93, 80, 80, 77, 90, 117, 113, 113, 110, 83, 100, 97, 90, 110, 80, 113, 93, 97, 80, 107, 117, 100, 97, 100, 93, 87, 97, 103, 117, 107, 80]> : tensor<40xui8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>> {
    %r0 = "stablehlo.floor"(%arg0) : (tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>) -> ()
  }
}

// clause: round_nearest_afz: dequantize_op_quantize
// Operands and result have scales and zero points of their own; results saturate.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[11, 186, 165, 240, 223, 68, 236, 25, 157, 14, 216, 132, 207, 172, 192, 243, 246, 72, 145, 114, 74, 255, 134, 153, 69, 236, 250, 43, 203, 14, 30, 90, 136, 49, 209, 57, 221, 57, 95, 79]> : tensor<40xui8>
// expect: dense<[80, 110, 107, 120, 117, 90, 117, 83, 103, 80, 113, 100, 113, 107, 110, 120, 120, 90, 103, 97, 90, 120, 100, 103, 90, 117, 120, 87, 113, 80, 83, 93, 100, 87, 113, 87, 117, 87, 93, 93]> : tensor<40xui8>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>> {
    %r0 = "stablehlo.round_nearest_afz"(%arg0) : (tensor<40x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>
    "func.return"(%r0) : (tensor<40x!quant.uniform<u8:f32, 3.000000e-01:100>>) -> ()
  }
}

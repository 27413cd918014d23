// clause: dequantize: fl(fl(q - zero_point) * scale), the subtraction exact (erratum E1)
// Both bounds, and what lies around zero.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[16, 17, 239, 240]> : tensor<4xui8>
// expect: dense<[-42.0, -41.5, 69.5, 7.0e+01]> : tensor<4xf32>
module {
  func.func @main(%arg0: tensor<4x!quant.uniform<u8<16:240>:f32, 5.000000e-01:100>>) -> tensor<4xf32> {
    %r0 = "stablehlo.uniform_dequantize"(%arg0) : (tensor<4x!quant.uniform<u8<16:240>:f32, 5.000000e-01:100>>) -> tensor<4xf32>
    "func.return"(%r0) : (tensor<4xf32>) -> ()
  }
}

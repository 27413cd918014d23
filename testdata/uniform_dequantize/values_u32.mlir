// clause: dequantize: fl(fl(q - zero_point) * scale), the subtraction exact (erratum E1)
// Both bounds, and what lies around zero.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0, 1, 2, 3, 7, 31, 32, 4294967294, 4294967295]> : tensor<9xui32>
// expect: dense<[0.0, 1.0, 2.0, 3.0, 7.0, 31.0, 32.0, 4.2949673e+09, 4.2949673e+09]> : tensor<9xf32>
module {
  func.func @main(%arg0: tensor<9x!quant.uniform<u32:f32, 1.000000e+00>>) -> tensor<9xf32> {
    %r0 = "stablehlo.uniform_dequantize"(%arg0) : (tensor<9x!quant.uniform<u32:f32, 1.000000e+00>>) -> tensor<9xf32>
    "func.return"(%r0) : (tensor<9xf32>) -> ()
  }
}

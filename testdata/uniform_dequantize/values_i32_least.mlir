// clause: dequantize: fl(fl(q - zero_point) * scale), the subtraction exact (erratum E1)
// Both bounds, and what lies around zero.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-1000, -999, -7, -3, -2, -1, 0, 1, 2, 3, 7, 31, 32, 2147483646, 2147483647]> : tensor<15xi32>
// expect: dense<[-1.0e+03, -999.0, -7.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 7.0, 31.0, 32.0, 2.1474836e+09, 2.1474836e+09]> : tensor<15xf32>
module {
  func.func @main(%arg0: tensor<15x!quant.uniform<i32<-1000:2147483647>:f32, 1.000000e+00>>) -> tensor<15xf32> {
    %r0 = "stablehlo.uniform_dequantize"(%arg0) : (tensor<15x!quant.uniform<i32<-1000:2147483647>:f32, 1.000000e+00>>) -> tensor<15xf32>
    "func.return"(%r0) : (tensor<15xf32>) -> ()
  }
}

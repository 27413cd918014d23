// clause: dequantize: fl(fl(q - zero_point) * scale), the subtraction exact (erratum E1)
// Both bounds, and what lies around zero.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-2147483647, -2147483646, -7, -3, -2, -1, 0, 1, 2, 3, 7, 31, 32, 999, 1000]> : tensor<15xi32>
// expect: dense<[-2147483642.0, -2147483641.0, -2.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 12.0, 36.0, 37.0, 1004.0, 1005.0]> : tensor<15xf64>
module {
  func.func @main(%arg0: tensor<15x!quant.uniform<i32<-2147483647:1000>:f64, 1.000000e+00:-5>>) -> tensor<15xf64> {
    %r0 = "stablehlo.uniform_dequantize"(%arg0) : (tensor<15x!quant.uniform<i32<-2147483647:1000>:f64, 1.000000e+00:-5>>) -> tensor<15xf64>
    "func.return"(%r0) : (tensor<15xf64>) -> ()
  }
}

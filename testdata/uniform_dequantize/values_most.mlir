// clause: dequantize: fl(fl(q - zero_point) * scale), the subtraction exact (erratum E1)
// Both bounds, and what lies around zero.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-128, -127, -7, -3, -2, -1, 0, 1, 2, 3, 7, 8, 119, 120]> : tensor<14xi8>
// expect: dense<[-128.0, -127.0, -7.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 7.0, 8.0, 119.0, 1.2e+02]> : tensor<14xf32>
module {
  func.func @main(%arg0: tensor<14x!quant.uniform<i8<-128:120>:f32, 1.000000e+00>>) -> tensor<14xf32> {
    %r0 = "stablehlo.uniform_dequantize"(%arg0) : (tensor<14x!quant.uniform<i8<-128:120>:f32, 1.000000e+00>>) -> tensor<14xf32>
    "func.return"(%r0) : (tensor<14xf32>) -> ()
  }
}

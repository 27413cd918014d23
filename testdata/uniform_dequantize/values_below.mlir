// clause: dequantize: fl(fl(q - zero_point) * scale), the subtraction exact (erratum E1)
// Both bounds, and what lies around zero.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-100, -99, -11, -10]> : tensor<4xi8>
// expect: dense<[-25.0, -24.5, 19.5, 2.0e+01]> : tensor<4xf32>
module {
  func.func @main(%arg0: tensor<4x!quant.uniform<i8<-100:-10>:f32, 5.000000e-01:-50>>) -> tensor<4xf32> {
    %r0 = "stablehlo.uniform_dequantize"(%arg0) : (tensor<4x!quant.uniform<i8<-100:-10>:f32, 5.000000e-01:-50>>) -> tensor<4xf32>
    "func.return"(%r0) : (tensor<4xf32>) -> ()
  }
}

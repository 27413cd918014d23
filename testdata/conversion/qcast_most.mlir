// clause: quant.qcast: to the nearest storage number, half to even, and saturating (erratum E16)
// Fractions of both signs, bounds, infinities and NaN.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 0.25, 0.75, 1.25, -0.25, -0.75, 5.5, -6.5, 3.0e+01, -31.0, 62.0, 62.25, 63.0, -65.5, -66.0, 1.0e+02, 1.0e+04, -1.0e+04, 1.0e+06, -3.0e+09, 3.0e+09, 5.0e+09, 1.0e+20, 0x7F800000, 0xFF800000, 0x7FC00000, 999.5, 1000.5, 1001.0, -1000.5, 0.1, 12.7, -0.3]> : tensor<34xf32>
// expect: dense<[0, 0, 0, 1, 1, 0, -1, 6, -6, 30, -31, 62, 62, 63, -66, -66, 100, 120, -128, 120, -128, 120, 120, 120, 120, -128, 0, 120, 120, 120, -128, 0, 13, 0]> : tensor<34xi8>
module {
  func.func @main(%arg0: tensor<34xf32>) -> tensor<34x!quant.uniform<i8<-128:120>:f32, 1.000000e+00>> {
    %r0 = "quant.qcast"(%arg0) : (tensor<34xf32>) -> tensor<34x!quant.uniform<i8<-128:120>:f32, 1.000000e+00>>
    "func.return"(%r0) : (tensor<34x!quant.uniform<i8<-128:120>:f32, 1.000000e+00>>) -> ()
  }
}

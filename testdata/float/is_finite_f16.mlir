// clause: is_finite: neither infinite nor NaN
// Values at the edges of the type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 1.0, -1.5, 2.5, -0.5, 3.0, 0x7C00, 0xFC00, 0x7E00, 0.1, 2048.0, 6.55e+04, -6.0e-08, 7.25]> : tensor<15xf16>
// expect: dense<[true, true, true, true, true, true, true, false, false, false, true, true, true, true, true]> : tensor<15xi1>
module {
  func.func @main(%arg0: tensor<15xf16>) -> tensor<15xi1> {
    %r0 = "stablehlo.is_finite"(%arg0) : (tensor<15xf16>) -> tensor<15xi1>
    "func.return"(%r0) : (tensor<15xi1>) -> ()
  }
}

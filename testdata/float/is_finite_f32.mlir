// clause: is_finite: neither infinite nor NaN
// Values at the edges of the type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 1.0, -1.5, 2.5, -0.5, 3.0, 0x7F800000, 0xFF800000, 0x7FC00000, 0.1, 16777216.0, 3.4028235e+38, -1.0e-30, 7.25]> : tensor<15xf32>
// expect: dense<[true, true, true, true, true, true, true, false, false, false, true, true, true, true, true]> : tensor<15xi1>
module {
  func.func @main(%arg0: tensor<15xf32>) -> tensor<15xi1> {
    %r0 = "stablehlo.is_finite"(%arg0) : (tensor<15xf32>) -> tensor<15xi1>
    "func.return"(%r0) : (tensor<15xi1>) -> ()
  }
}

// clause: reshape: row-major order
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1.0, 5.75, 3.5, 4.75, -2.75, -0.75], [-3.5, 2.25, -2.75, 1.5, -5.25, 4.5]]> : tensor<2x6xf32>
// expect: dense<[[[1.0, 5.75], [3.5, 4.75]], [[-2.75, -0.75], [-3.5, 2.25]], [[-2.75, 1.5], [-5.25, 4.5]]]> : tensor<3x2x2xf32>
module {
  func.func @main(%arg0: tensor<2x6xf32>) -> tensor<3x2x2xf32> {
    %r0 = "stablehlo.reshape"(%arg0) : (tensor<2x6xf32>) -> tensor<3x2x2xf32>
    "func.return"(%r0) : (tensor<3x2x2xf32>) -> ()
  }
}

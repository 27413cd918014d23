// clause: reverse: listed dimensions
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-4.0, -3.0, 1.5, 2.5], [1.75, 4.0, -5.5, 3.5], [-4.5, 0.25, 6.0, -2.25]], [[6.0, 5.25, 2.0, 4.75], [-3.5, 0.5, -5.75, -5.5], [5.5, 0.0, 3.25, 5.5]]]> : tensor<2x3x4xf32>
// expect: dense<[[[4.75, 2.0, 5.25, 6.0], [-5.5, -5.75, 0.5, -3.5], [5.5, 3.25, 0.0, 5.5]], [[2.5, 1.5, -3.0, -4.0], [3.5, -5.5, 4.0, 1.75], [-2.25, 6.0, 0.25, -4.5]]]> : tensor<2x3x4xf32>
module {
  func.func @main(%arg0: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    %r0 = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 0, 2>} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    "func.return"(%r0) : (tensor<2x3x4xf32>) -> ()
  }
}

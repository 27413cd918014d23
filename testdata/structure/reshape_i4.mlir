// clause: reshape: row-major order
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[4, -4, -3, 2, 4, 6], [-2, 7, -1, 1, -1, -3]]> : tensor<2x6xi4>
// expect: dense<[[[4, -4], [-3, 2]], [[4, 6], [-2, 7]], [[-1, 1], [-1, -3]]]> : tensor<3x2x2xi4>
module {
  func.func @main(%arg0: tensor<2x6xi4>) -> tensor<3x2x2xi4> {
    %r0 = "stablehlo.reshape"(%arg0) : (tensor<2x6xi4>) -> tensor<3x2x2xi4>
    "func.return"(%r0) : (tensor<3x2x2xi4>) -> ()
  }
}

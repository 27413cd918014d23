// clause: transpose: result dimension d is operand dimension permutation[d]
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-3, 2, 2, -8], [5, 0, 2, -1], [-2, -5, -3, -5]], [[1, -1, -8, 0], [6, 4, -6, 0], [-6, 0, 0, 2]]]> : tensor<2x3x4xi4>
// expect: dense<[[[-3, 5, -2], [1, 6, -6]], [[2, 0, -5], [-1, 4, 0]], [[2, 2, -3], [-8, -6, 0]], [[-8, -1, -5], [0, 0, 2]]]> : tensor<4x2x3xi4>
module {
  func.func @main(%arg0: tensor<2x3x4xi4>) -> tensor<4x2x3xi4> {
    %r0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 2, 0, 1>} : (tensor<2x3x4xi4>) -> tensor<4x2x3xi4>
    "func.return"(%r0) : (tensor<4x2x3xi4>) -> ()
  }
}

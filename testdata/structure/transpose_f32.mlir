// clause: transpose: result dimension d is operand dimension permutation[d]
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-1.25, 1.0, 0.75, -4.25], [4.5, 4.5, -6.0, 5.5], [-4.5, 3.0, 4.5, 1.0]], [[-0.5, 3.5, -2.0, -4.75], [5.75, 3.25, 3.25, -5.75], [0.75, -5.25, 2.25, 0.25]]]> : tensor<2x3x4xf32>
// expect: dense<[[[-1.25, 4.5, -4.5], [-0.5, 5.75, 0.75]], [[1.0, 4.5, 3.0], [3.5, 3.25, -5.25]], [[0.75, -6.0, 4.5], [-2.0, 3.25, 2.25]], [[-4.25, 5.5, 1.0], [-4.75, -5.75, 0.25]]]> : tensor<4x2x3xf32>
module {
  func.func @main(%arg0: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
    %r0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 2, 0, 1>} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
    "func.return"(%r0) : (tensor<4x2x3xf32>) -> ()
  }
}

// clause: reverse: listed dimensions
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[4, -6, 3, 4], [-5, -6, 0, -7], [5, 5, 2, -5]], [[-5, 2, 7, 5], [-4, 3, 2, 5], [-5, 3, 6, 3]]]> : tensor<2x3x4xi4>
// expect: dense<[[[5, 7, 2, -5], [5, 2, 3, -4], [3, 6, 3, -5]], [[4, 3, -6, 4], [-7, 0, -6, -5], [-5, 2, 5, 5]]]> : tensor<2x3x4xi4>
module {
  func.func @main(%arg0: tensor<2x3x4xi4>) -> tensor<2x3x4xi4> {
    %r0 = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 0, 2>} : (tensor<2x3x4xi4>) -> tensor<2x3x4xi4>
    "func.return"(%r0) : (tensor<2x3x4xi4>) -> ()
  }
}

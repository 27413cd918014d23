// clause: slice: from start_indices in steps of strides, below limit_indices
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[4, 5, 7, -4, 3], [-8, 0, -8, -8, 5], [3, -3, 7, 4, -5], [-5, -5, -1, -5, 6], [6, -2, 2, 5, 3], [1, 0, 4, -7, 5], [1, -6, 6, 1, -1]]> : tensor<7x5xi4>
// expect: dense<[[-8, 5], [-1, 6], [4, 5]]> : tensor<3x2xi4>
module {
  func.func @main(%arg0: tensor<7x5xi4>) -> tensor<3x2xi4> {
    %r0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1, 2>, limit_indices = array<i64: 7, 5>, strides = array<i64: 2, 2>} : (tensor<7x5xi4>) -> tensor<3x2xi4>
    "func.return"(%r0) : (tensor<3x2xi4>) -> ()
  }
}

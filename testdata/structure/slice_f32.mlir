// clause: slice: from start_indices in steps of strides, below limit_indices
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-0.25, 3.75, 4.0, -5.25, -2.5], [4.25, -1.0, -0.75, 4.0, -6.0], [2.75, 4.5, 4.25, -4.5, -4.75], [2.5, -2.0, 2.25, -1.0, 3.5], [-0.5, 5.5, -1.75, 6.0, -5.5], [-4.5, 5.0, -5.0, 1.25, 5.75], [-2.75, 5.75, -5.75, -3.75, 0.75]]> : tensor<7x5xf32>
// expect: dense<[[-0.75, -6.0], [2.25, 3.5], [-5.0, 5.75]]> : tensor<3x2xf32>
module {
  func.func @main(%arg0: tensor<7x5xf32>) -> tensor<3x2xf32> {
    %r0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1, 2>, limit_indices = array<i64: 7, 5>, strides = array<i64: 2, 2>} : (tensor<7x5xf32>) -> tensor<3x2xf32>
    "func.return"(%r0) : (tensor<3x2xf32>) -> ()
  }
}

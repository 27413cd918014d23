// clause: slice: from start_indices in steps of strides, below limit_indices
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[false, false, false, false, true], [false, false, false, false, true], [false, true, false, true, true], [false, false, false, true, false], [false, false, false, false, true], [true, true, false, false, false], [true, false, false, true, true]]> : tensor<7x5xi1>
// expect: dense<[[false, true], [false, false], [false, false]]> : tensor<3x2xi1>
module {
  func.func @main(%arg0: tensor<7x5xi1>) -> tensor<3x2xi1> {
    %r0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1, 2>, limit_indices = array<i64: 7, 5>, strides = array<i64: 2, 2>} : (tensor<7x5xi1>) -> tensor<3x2xi1>
    "func.return"(%r0) : (tensor<3x2xi1>) -> ()
  }
}

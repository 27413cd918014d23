// clause: abs: the magnitude of the least integer wraps
// Values at the edges of the type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-8, -7, -3, -2, -1, 0, 1, 2, 3, 4, 6, 7]> : tensor<12xi4>
// expect: dense<[-8, 7, 3, 2, 1, 0, 1, 2, 3, 4, 6, 7]> : tensor<12xi4>
module {
  func.func @main(%arg0: tensor<12xi4>) -> tensor<12xi4> {
    %r0 = "stablehlo.abs"(%arg0) : (tensor<12xi4>) -> tensor<12xi4>
    "func.return"(%r0) : (tensor<12xi4>) -> ()
  }
}

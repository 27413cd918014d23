// clause: not: every bit flips
// Values at the edges of the type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[false, true]> : tensor<2xi1>
// expect: dense<[true, false]> : tensor<2xi1>
module {
  func.func @main(%arg0: tensor<2xi1>) -> tensor<2xi1> {
    %r0 = "stablehlo.not"(%arg0) : (tensor<2xi1>) -> tensor<2xi1>
    "func.return"(%r0) : (tensor<2xi1>) -> ()
  }
}

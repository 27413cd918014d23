// clause: and: bitwise and
// Every pair of values at the edges: zeros, ones, bounds and what lies beside them.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[false, false, true, true]> : tensor<4xi1>
// args: dense<[false, true, false, true]> : tensor<4xi1>
// expect: dense<[false, false, false, true]> : tensor<4xi1>
module {
  func.func @main(%arg0: tensor<4xi1>, %arg1: tensor<4xi1>) -> tensor<4xi1> {
    %r0 = "stablehlo.and"(%arg0, %arg1) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    "func.return"(%r0) : (tensor<4xi1>) -> ()
  }
}

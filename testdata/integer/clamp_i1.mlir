// clause: clamp: minimum(maximum(x, min), max)
// Where the bounds cross, the greater one wins last: minimum after maximum.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[false, false, true, true]> : tensor<4xi1>
// args: dense<[true, false, true, true]> : tensor<4xi1>
// args: dense<[false, true, false, true]> : tensor<4xi1>
// expect: dense<[false, false, false, true]> : tensor<4xi1>
module {
  func.func @main(%arg0: tensor<4xi1>, %arg1: tensor<4xi1>, %arg2: tensor<4xi1>) -> tensor<4xi1> {
    %r0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    "func.return"(%r0) : (tensor<4xi1>) -> ()
  }
}

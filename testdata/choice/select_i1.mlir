// clause: select: pred ? on_true : on_false
// Each element by its own predicate, or all by one.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[true, false, false, true, false, true]> : tensor<6xi1>
// args: dense<[false, false, true, false, true, false]> : tensor<6xi1>
// args: dense<[false, false, true, true, true, false]> : tensor<6xi1>
// expect: dense<[false, false, true, false, true, false]> : tensor<6xi1>
module {
  func.func @main(%arg0: tensor<6xi1>, %arg1: tensor<6xi1>, %arg2: tensor<6xi1>) -> tensor<6xi1> {
    %r0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<6xi1>, tensor<6xi1>, tensor<6xi1>) -> tensor<6xi1>
    "func.return"(%r0) : (tensor<6xi1>) -> ()
  }
}

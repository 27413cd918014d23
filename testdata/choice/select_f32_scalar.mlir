// clause: select: pred ? on_true : on_false
// Each element by its own predicate, or all by one.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<false> : tensor<i1>
// args: dense<[5.75, -4.75, 5.5, -1.0, -0.25, 4.75]> : tensor<6xf32>
// args: dense<[4.75, 5.5, 3.5, 6.0, -4.5, 0.5]> : tensor<6xf32>
// expect: dense<[4.75, 5.5, 3.5, 6.0, -4.5, 0.5]> : tensor<6xf32>
module {
  func.func @main(%arg0: tensor<i1>, %arg1: tensor<6xf32>, %arg2: tensor<6xf32>) -> tensor<6xf32> {
    %r0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    "func.return"(%r0) : (tensor<6xf32>) -> ()
  }
}

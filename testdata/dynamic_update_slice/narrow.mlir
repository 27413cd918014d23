// clause: dynamic_update_slice: start_indices are clamped, so that the update lies in the operand
// A start of four bits, and an operand that has more elements than they count.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[3, -3, -6, 2, -8, 3, 6, 3, -8, 0, -4, 1, 3, -6, -9, 0, 2, -7, 8, 0]> : tensor<20xi32>
// args: dense<[11, 12]> : tensor<2xi32>
// args: dense<7> : tensor<i4>
// expect: dense<[3, -3, -6, 2, -8, 3, 6, 11, 12, 0, -4, 1, 3, -6, -9, 0, 2, -7, 8, 0]> : tensor<20xi32>
module {
  func.func @main(%arg0: tensor<20xi32>, %arg1: tensor<2xi32>, %arg2: tensor<i4>) -> tensor<20xi32> {
    %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2) : (tensor<20xi32>, tensor<2xi32>, tensor<i4>) -> tensor<20xi32>
    "func.return"(%0) : (tensor<20xi32>) -> ()
  }
}

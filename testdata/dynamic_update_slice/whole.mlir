// clause: dynamic_update_slice: start_indices are clamped, so that the update lies in the operand
// The update is as large as the operand, so that the start is 0.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[9, 1, 4]> : tensor<3xi32>
// args: dense<[1, 2, 3]> : tensor<3xi32>
// args: dense<2> : tensor<i32>
// expect: dense<[1, 2, 3]> : tensor<3xi32>
module {
  func.func @main(%arg0: tensor<3xi32>, %arg1: tensor<3xi32>, %arg2: tensor<i32>) -> tensor<3xi32> {
    %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2) : (tensor<3xi32>, tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
    "func.return"(%0) : (tensor<3xi32>) -> ()
  }
}

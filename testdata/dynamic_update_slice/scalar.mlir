// clause: dynamic_update_slice: start_indices are clamped, so that the update lies in the operand
// An operand of rank 0 is replaced, without a start.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<3> : tensor<i32>
// args: dense<4> : tensor<i32>
// expect: dense<4> : tensor<i32>
module {
  func.func @main(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "func.return"(%0) : (tensor<i32>) -> ()
  }
}

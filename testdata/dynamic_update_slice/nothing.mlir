// clause: dynamic_update_slice: start_indices are clamped, so that the update lies in the operand
// An update without elements changes nothing.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[5, 0, -2]> : tensor<3xi32>
// args: dense<[]> : tensor<0xi32>
// args: dense<2> : tensor<i32>
// expect: dense<[5, 0, -2]> : tensor<3xi32>
module {
  func.func @main(%arg0: tensor<3xi32>, %arg1: tensor<0xi32>, %arg2: tensor<i32>) -> tensor<3xi32> {
    %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2) : (tensor<3xi32>, tensor<0xi32>, tensor<i32>) -> tensor<3xi32>
    "func.return"(%0) : (tensor<3xi32>) -> ()
  }
}

// clause: dynamic_update_slice: start_indices are clamped, so that the update lies in the operand
// The update's first element lies at the start.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-8, -4, -6], [4, -5, 2], [7, 0, -7], [-8, -4, -2]]> : tensor<4x3xi8>
// args: dense<[[11, 12], [13, 14]]> : tensor<2x2xi8>
// args: dense<1> : tensor<i32>
// args: dense<1> : tensor<i32>
// expect: dense<[[-8, -4, -6], [4, 11, 12], [7, 13, 14], [-8, -4, -2]]> : tensor<4x3xi8>
module {
  func.func @main(%arg0: tensor<4x3xi8>, %arg1: tensor<2x2xi8>, %arg2: tensor<i32>, %arg3: tensor<i32>) -> tensor<4x3xi8> {
    %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<4x3xi8>, tensor<2x2xi8>, tensor<i32>, tensor<i32>) -> tensor<4x3xi8>
    "func.return"(%0) : (tensor<4x3xi8>) -> ()
  }
}

// clause: dynamic_update_slice: start_indices are clamped, so that the update lies in the operand
// Starts before and beyond the operand.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0, -4, 7], [1, 9, 8], [4, -9, -5], [5, 1, 8]]> : tensor<4x3xi8>
// args: dense<[[11, 12], [13, 14]]> : tensor<2x2xi8>
// args: dense<9> : tensor<i64>
// args: dense<-4> : tensor<i64>
// expect: dense<[[0, -4, 7], [1, 9, 8], [11, 12, -5], [13, 14, 8]]> : tensor<4x3xi8>
module {
  func.func @main(%arg0: tensor<4x3xi8>, %arg1: tensor<2x2xi8>, %arg2: tensor<i64>, %arg3: tensor<i64>) -> tensor<4x3xi8> {
    %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<4x3xi8>, tensor<2x2xi8>, tensor<i64>, tensor<i64>) -> tensor<4x3xi8>
    "func.return"(%0) : (tensor<4x3xi8>) -> ()
  }
}

// clause: dynamic_update_slice: start_indices are clamped, so that the update lies in the operand
// The largest start is not -1.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[4, 6, -9, -4, 3]> : tensor<5xi32>
// args: dense<[11, 12]> : tensor<2xi32>
// args: dense<18446744073709551615> : tensor<ui64>
// expect: dense<[4, 6, -9, 11, 12]> : tensor<5xi32>
module {
  func.func @main(%arg0: tensor<5xi32>, %arg1: tensor<2xi32>, %arg2: tensor<ui64>) -> tensor<5xi32> {
    %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2) : (tensor<5xi32>, tensor<2xi32>, tensor<ui64>) -> tensor<5xi32>
    "func.return"(%0) : (tensor<5xi32>) -> ()
  }
}

// clause: dynamic_update_slice: start_indices are clamped, so that the update lies in the operand
// Stored elements are moved as they are.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[3, -9, 2, 1]> : tensor<4xi8>
// args: dense<[101, 102]> : tensor<2xi8>
// args: dense<1> : tensor<i32>
// expect: dense<[3, 101, 102, 1]> : tensor<4xi8>
module {
  func.func @main(%arg0: tensor<4x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %arg2: tensor<i32>) -> tensor<4x!quant.uniform<i8:f32, 0.5:3>> {
    %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2) : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<i32>) -> tensor<4x!quant.uniform<i8:f32, 0.5:3>>
    "func.return"(%0) : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>) -> ()
  }
}

// clause: dynamic_slice: start_indices are clamped, so that the slice lies in the operand
// Starts before and beyond the operand; unsigned ones are never negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-5.75, -1.25, -3.5, -1.75, 5.5, 5.75]> : tensor<6xf32>
// args: dense<9> : tensor<i32>
// expect: dense<> : tensor<0xf32>
module {
  func.func @main(%arg0: tensor<6xf32>, %arg1: tensor<i32>) -> tensor<0xf32> {
    %r0 = "stablehlo.dynamic_slice"(%arg0, %arg1) {slice_sizes = array<i64: 0>} : (tensor<6xf32>, tensor<i32>) -> tensor<0xf32>
    "func.return"(%r0) : (tensor<0xf32>) -> ()
  }
}

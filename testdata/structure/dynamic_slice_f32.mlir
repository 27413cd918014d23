// clause: dynamic_slice: start_indices are clamped, so that the slice lies in the operand
// Starts before and beyond the operand; unsigned ones are never negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-1.0, -5.5, 5.5, -2.75, -4.75, -4.25]> : tensor<6xf32>
// args: dense<18446744073709551615> : tensor<ui64>
// expect: dense<[-4.75, -4.25]> : tensor<2xf32>
module {
  func.func @main(%arg0: tensor<6xf32>, %arg1: tensor<ui64>) -> tensor<2xf32> {
    %r0 = "stablehlo.dynamic_slice"(%arg0, %arg1) {slice_sizes = array<i64: 2>} : (tensor<6xf32>, tensor<ui64>) -> tensor<2xf32>
    "func.return"(%r0) : (tensor<2xf32>) -> ()
  }
}

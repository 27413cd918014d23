// clause: dynamic_slice: start_indices are clamped, so that the slice lies in the operand
// Starts before and beyond the operand; unsigned ones are never negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[65, 111, 11, 80], [-64, -80, 117, -26], [-78, -101, -104, 50], [-113, -104, 16, 6], [70, -86, -7, 79]]> : tensor<5x4xi8>
// args: dense<1> : tensor<i32>
// args: dense<1> : tensor<i32>
// expect: dense<[[-80, 117, -26], [-101, -104, 50]]> : tensor<2x3xi8>
module {
  func.func @main(%arg0: tensor<5x4xi8>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<2x3xi8> {
    %r0 = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg2) {slice_sizes = array<i64: 2, 3>} : (tensor<5x4xi8>, tensor<i32>, tensor<i32>) -> tensor<2x3xi8>
    "func.return"(%r0) : (tensor<2x3xi8>) -> ()
  }
}

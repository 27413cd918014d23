// clause: dynamic_slice: start_indices are clamped, so that the slice lies in the operand
// Starts before and beyond the operand; unsigned ones are never negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[80, -59, -95, -5], [70, -122, -54, -114], [67, 43, 13, -15], [-49, 13, 110, -128], [-39, 61, -5, -5]]> : tensor<5x4xi8>
// args: dense<9> : tensor<i64>
// args: dense<-4> : tensor<i64>
// expect: dense<[[-49, 13, 110], [-39, 61, -5]]> : tensor<2x3xi8>
module {
  func.func @main(%arg0: tensor<5x4xi8>, %arg1: tensor<i64>, %arg2: tensor<i64>) -> tensor<2x3xi8> {
    %r0 = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg2) {slice_sizes = array<i64: 2, 3>} : (tensor<5x4xi8>, tensor<i64>, tensor<i64>) -> tensor<2x3xi8>
    "func.return"(%r0) : (tensor<2x3xi8>) -> ()
  }
}

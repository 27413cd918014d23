// clause: dynamic_slice: start_indices are clamped, so that the slice lies in the operand
// Starts before and beyond the operand; unsigned ones are never negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-103, -66, -18, -16], [104, 104, 118, -95], [-114, 50, -90, 112], [62, -84, 65, 68], [-118, -109, -42, -41]]> : tensor<5x4xi8>
// args: dense<-8> : tensor<i4>
// args: dense<7> : tensor<i4>
// expect: dense<[[-103, -66, -18, -16], [104, 104, 118, -95], [-114, 50, -90, 112]]> : tensor<3x4xi8>
module {
  func.func @main(%arg0: tensor<5x4xi8>, %arg1: tensor<i4>, %arg2: tensor<i4>) -> tensor<3x4xi8> {
    %r0 = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg2) {slice_sizes = array<i64: 3, 4>} : (tensor<5x4xi8>, tensor<i4>, tensor<i4>) -> tensor<3x4xi8>
    "func.return"(%r0) : (tensor<3x4xi8>) -> ()
  }
}

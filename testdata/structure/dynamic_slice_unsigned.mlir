// clause: dynamic_slice: start_indices are clamped, so that the slice lies in the operand
// Starts before and beyond the operand; unsigned ones are never negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[105, -111, 84, -7], [-92, -45, 125, -104], [-103, -115, 22, -57], [5, 17, -45, 120], [-35, -118, 29, -126]]> : tensor<5x4xi8>
// args: dense<255> : tensor<ui8>
// args: dense<3> : tensor<ui8>
// expect: dense<[[-57], [120], [-126]]> : tensor<3x1xi8>
module {
  func.func @main(%arg0: tensor<5x4xi8>, %arg1: tensor<ui8>, %arg2: tensor<ui8>) -> tensor<3x1xi8> {
    %r0 = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg2) {slice_sizes = array<i64: 3, 1>} : (tensor<5x4xi8>, tensor<ui8>, tensor<ui8>) -> tensor<3x1xi8>
    "func.return"(%r0) : (tensor<3x1xi8>) -> ()
  }
}

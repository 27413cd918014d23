// clause: transpose: result dimension d is operand dimension permutation[d]
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[7, 124, -42, -128], [40, 3, -18, 94], [47, -39, 111, 51]], [[-94, 92, 11, 80], [0, -39, -74, -98], [69, 115, -114, -24]]]> : tensor<2x3x4xi8>
// expect: dense<[[[7, 40, 47], [-94, 0, 69]], [[124, 3, -39], [92, -39, 115]], [[-42, -18, 111], [11, -74, -114]], [[-128, 94, 51], [80, -98, -24]]]> : tensor<4x2x3xi8>
module {
  func.func @main(%arg0: tensor<2x3x4xi8>) -> tensor<4x2x3xi8> {
    %r0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 2, 0, 1>} : (tensor<2x3x4xi8>) -> tensor<4x2x3xi8>
    "func.return"(%r0) : (tensor<4x2x3xi8>) -> ()
  }
}

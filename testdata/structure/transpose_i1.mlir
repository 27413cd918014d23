// clause: transpose: result dimension d is operand dimension permutation[d]
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[true, false, true, true], [true, true, false, false], [true, false, true, false]], [[true, true, false, false], [true, true, false, true], [true, true, true, false]]]> : tensor<2x3x4xi1>
// expect: dense<[[[true, true, true], [true, true, true]], [[false, true, false], [true, true, true]], [[true, false, true], [false, false, true]], [[true, false, false], [false, true, false]]]> : tensor<4x2x3xi1>
module {
  func.func @main(%arg0: tensor<2x3x4xi1>) -> tensor<4x2x3xi1> {
    %r0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 2, 0, 1>} : (tensor<2x3x4xi1>) -> tensor<4x2x3xi1>
    "func.return"(%r0) : (tensor<4x2x3xi1>) -> ()
  }
}

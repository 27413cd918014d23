// clause: reverse: listed dimensions
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[true, true, true, true], [false, true, false, false], [false, false, false, true]], [[true, true, true, false], [true, false, false, true], [true, true, true, true]]]> : tensor<2x3x4xi1>
// expect: dense<[[[false, true, true, true], [true, false, false, true], [true, true, true, true]], [[true, true, true, true], [false, false, true, false], [true, false, false, false]]]> : tensor<2x3x4xi1>
module {
  func.func @main(%arg0: tensor<2x3x4xi1>) -> tensor<2x3x4xi1> {
    %r0 = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 0, 2>} : (tensor<2x3x4xi1>) -> tensor<2x3x4xi1>
    "func.return"(%r0) : (tensor<2x3x4xi1>) -> ()
  }
}

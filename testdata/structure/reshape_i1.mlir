// clause: reshape: row-major order
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[true, true, true, true, false, true], [false, false, false, false, true, false]]> : tensor<2x6xi1>
// expect: dense<[[[true, true], [true, true]], [[false, true], [false, false]], [[false, false], [true, false]]]> : tensor<3x2x2xi1>
module {
  func.func @main(%arg0: tensor<2x6xi1>) -> tensor<3x2x2xi1> {
    %r0 = "stablehlo.reshape"(%arg0) : (tensor<2x6xi1>) -> tensor<3x2x2xi1>
    "func.return"(%r0) : (tensor<3x2x2xi1>) -> ()
  }
}

// clause: reverse: listed dimensions
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-81, -126, -36, -19], [-13, -110, 115, 101], [75, 5, -10, 16]], [[-9, 33, -30, 51], [-83, -41, -31, 18], [-105, -93, -25, -12]]]> : tensor<2x3x4xi8>
// expect: dense<[[[51, -30, 33, -9], [18, -31, -41, -83], [-12, -25, -93, -105]], [[-19, -36, -126, -81], [101, 115, -110, -13], [16, -10, 5, 75]]]> : tensor<2x3x4xi8>
module {
  func.func @main(%arg0: tensor<2x3x4xi8>) -> tensor<2x3x4xi8> {
    %r0 = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 0, 2>} : (tensor<2x3x4xi8>) -> tensor<2x3x4xi8>
    "func.return"(%r0) : (tensor<2x3x4xi8>) -> ()
  }
}

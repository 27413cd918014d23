// clause: reverse: no dimensions
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[24, 25, -70]> : tensor<3xi8>
// expect: dense<[24, 25, -70]> : tensor<3xi8>
module {
  func.func @main(%arg0: tensor<3xi8>) -> tensor<3xi8> {
    %r0 = "stablehlo.reverse"(%arg0) {dimensions = array<i64>} : (tensor<3xi8>) -> tensor<3xi8>
    "func.return"(%r0) : (tensor<3xi8>) -> ()
  }
}

// clause: pad: an operand without elements
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<> : tensor<0xi8>
// args: dense<61> : tensor<i8>
// expect: dense<[61, 61, 61]> : tensor<3xi8>
module {
  func.func @main(%arg0: tensor<0xi8>, %arg1: tensor<i8>) -> tensor<3xi8> {
    %r0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 2>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 3>} : (tensor<0xi8>, tensor<i8>) -> tensor<3xi8>
    "func.return"(%r0) : (tensor<3xi8>) -> ()
  }
}

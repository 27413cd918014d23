// clause: pad: low, high and interior padding, negative ones crop
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-82, -82, 53, 102], [-27, -42, -44, 89], [-81, -118, 11, 4]]> : tensor<3x4xi8>
// args: dense<-49> : tensor<i8>
// expect: dense<[[-49, -49, -49], [-82, 53, 102], [-49, -49, -49], [-42, -44, 89], [-49, -49, -49], [-118, 11, 4], [-49, -49, -49], [-49, -49, -49]]> : tensor<8x3xi8>
module {
  func.func @main(%arg0: tensor<3x4xi8>, %arg1: tensor<i8>) -> tensor<8x3xi8> {
    %r0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 1, -1>, edge_padding_high = array<i64: 2, 0>, interior_padding = array<i64: 1, 0>} : (tensor<3x4xi8>, tensor<i8>) -> tensor<8x3xi8>
    "func.return"(%r0) : (tensor<8x3xi8>) -> ()
  }
}

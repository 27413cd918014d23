// clause: pad: negative padding after interior padding
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-99, 5, -128, -41], [61, -4, 23, 46], [-103, 59, 98, -40]]> : tensor<3x4xi8>
// args: dense<-123> : tensor<i8>
// expect: dense<[[-123, -123, -123, -123, -123], [-123, -123, -123, -123, -123], [-4, -123, 23, -123, 46], [-123, -123, -123, -123, -123]]> : tensor<4x5xi8>
module {
  func.func @main(%arg0: tensor<3x4xi8>, %arg1: tensor<i8>) -> tensor<4x5xi8> {
    %r0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: -1, -2>, edge_padding_high = array<i64: -2, 0>, interior_padding = array<i64: 2, 1>} : (tensor<3x4xi8>, tensor<i8>) -> tensor<4x5xi8>
    "func.return"(%r0) : (tensor<4x5xi8>) -> ()
  }
}

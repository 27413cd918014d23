// clause: reshape: row-major order
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[94, -105, -42, 78, -29, 127], [99, 55, -61, -40, -78, -53]]> : tensor<2x6xi8>
// expect: dense<[[[94, -105], [-42, 78]], [[-29, 127], [99, 55]], [[-61, -40], [-78, -53]]]> : tensor<3x2x2xi8>
module {
  func.func @main(%arg0: tensor<2x6xi8>) -> tensor<3x2x2xi8> {
    %r0 = "stablehlo.reshape"(%arg0) : (tensor<2x6xi8>) -> tensor<3x2x2xi8>
    "func.return"(%r0) : (tensor<3x2x2xi8>) -> ()
  }
}

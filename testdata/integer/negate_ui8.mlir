// clause: negate: the negative of the least integer wraps
// Values at the edges of the type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0, 1, 2, 3, 7, 8, 254, 255]> : tensor<8xui8>
// expect: dense<[0, 255, 254, 253, 249, 248, 2, 1]> : tensor<8xui8>
module {
  func.func @main(%arg0: tensor<8xui8>) -> tensor<8xui8> {
    %r0 = "stablehlo.negate"(%arg0) : (tensor<8xui8>) -> tensor<8xui8>
    "func.return"(%r0) : (tensor<8xui8>) -> ()
  }
}

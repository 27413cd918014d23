// clause: power: integer power wraps; a negative exponent leaves the truncated reciprocal
// Every pair of values at the edges: zeros, ones, bounds and what lies beside them.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 7, 7, 7, 7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8, 8, 254, 254, 254, 254, 254, 254, 254, 254, 255, 255, 255, 255, 255, 255, 255, 255]> : tensor<64xui8>
// args: dense<[0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255]> : tensor<64xui8>
// expect: dense<[1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 8, 128, 0, 0, 0, 1, 3, 9, 27, 139, 161, 57, 171, 1, 7, 49, 87, 247, 193, 209, 183, 1, 8, 64, 0, 0, 0, 0, 0, 1, 254, 4, 248, 128, 0, 0, 0, 1, 255, 1, 255, 255, 1, 1, 255]> : tensor<64xui8>
module {
  func.func @main(%arg0: tensor<64xui8>, %arg1: tensor<64xui8>) -> tensor<64xui8> {
    %r0 = "stablehlo.power"(%arg0, %arg1) : (tensor<64xui8>, tensor<64xui8>) -> tensor<64xui8>
    "func.return"(%r0) : (tensor<64xui8>) -> ()
  }
}

// clause: multiply: integer multiplication wraps
// Every pair of values at the edges: zeros, ones, bounds and what lies beside them.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 7, 7, 7, 7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8, 8, 254, 254, 254, 254, 254, 254, 254, 254, 255, 255, 255, 255, 255, 255, 255, 255]> : tensor<64xui8>
// args: dense<[0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255]> : tensor<64xui8>
// expect: dense<[0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 7, 8, 254, 255, 0, 2, 4, 6, 14, 16, 252, 254, 0, 3, 6, 9, 21, 24, 250, 253, 0, 7, 14, 21, 49, 56, 242, 249, 0, 8, 16, 24, 56, 64, 240, 248, 0, 254, 252, 250, 242, 240, 4, 2, 0, 255, 254, 253, 249, 248, 2, 1]> : tensor<64xui8>
module {
  func.func @main(%arg0: tensor<64xui8>, %arg1: tensor<64xui8>) -> tensor<64xui8> {
    %r0 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<64xui8>, tensor<64xui8>) -> tensor<64xui8>
    "func.return"(%r0) : (tensor<64xui8>) -> ()
  }
}

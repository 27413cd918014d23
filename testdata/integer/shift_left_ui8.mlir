// clause: shift_left: an amount is unsigned; from the width on nothing is left
// Every pair of values at the edges: zeros, ones, bounds and what lies beside them.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 7, 7, 7, 7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8, 8, 254, 254, 254, 254, 254, 254, 254, 254, 255, 255, 255, 255, 255, 255, 255, 255]> : tensor<64xui8>
// args: dense<[0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255]> : tensor<64xui8>
// expect: dense<[0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 128, 0, 0, 0, 2, 4, 8, 16, 0, 0, 0, 0, 3, 6, 12, 24, 128, 0, 0, 0, 7, 14, 28, 56, 128, 0, 0, 0, 8, 16, 32, 64, 0, 0, 0, 0, 254, 252, 248, 240, 0, 0, 0, 0, 255, 254, 252, 248, 128, 0, 0, 0]> : tensor<64xui8>
module {
  func.func @main(%arg0: tensor<64xui8>, %arg1: tensor<64xui8>) -> tensor<64xui8> {
    %r0 = "stablehlo.shift_left"(%arg0, %arg1) : (tensor<64xui8>, tensor<64xui8>) -> tensor<64xui8>
    "func.return"(%r0) : (tensor<64xui8>) -> ()
  }
}

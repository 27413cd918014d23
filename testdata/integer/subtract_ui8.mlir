// clause: subtract: integer subtraction wraps
// Every pair of values at the edges: zeros, ones, bounds and what lies beside them.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 7, 7, 7, 7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8, 8, 254, 254, 254, 254, 254, 254, 254, 254, 255, 255, 255, 255, 255, 255, 255, 255]> : tensor<64xui8>
// args: dense<[0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255]> : tensor<64xui8>
// expect: dense<[0, 255, 254, 253, 249, 248, 2, 1, 1, 0, 255, 254, 250, 249, 3, 2, 2, 1, 0, 255, 251, 250, 4, 3, 3, 2, 1, 0, 252, 251, 5, 4, 7, 6, 5, 4, 0, 255, 9, 8, 8, 7, 6, 5, 1, 0, 10, 9, 254, 253, 252, 251, 247, 246, 0, 255, 255, 254, 253, 252, 248, 247, 1, 0]> : tensor<64xui8>
module {
  func.func @main(%arg0: tensor<64xui8>, %arg1: tensor<64xui8>) -> tensor<64xui8> {
    %r0 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<64xui8>, tensor<64xui8>) -> tensor<64xui8>
    "func.return"(%r0) : (tensor<64xui8>) -> ()
  }
}

// clause: xor: bitwise exclusive or
// Every pair of values at the edges: zeros, ones, bounds and what lies beside them.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 7, 7, 7, 7, 7, 7, 7, 7, 14, 14, 14, 14, 14, 14, 14, 14, 15, 15, 15, 15, 15, 15, 15, 15]> : tensor<64xui4>
// args: dense<[0, 1, 2, 3, 4, 7, 14, 15, 0, 1, 2, 3, 4, 7, 14, 15, 0, 1, 2, 3, 4, 7, 14, 15, 0, 1, 2, 3, 4, 7, 14, 15, 0, 1, 2, 3, 4, 7, 14, 15, 0, 1, 2, 3, 4, 7, 14, 15, 0, 1, 2, 3, 4, 7, 14, 15, 0, 1, 2, 3, 4, 7, 14, 15]> : tensor<64xui4>
// expect: dense<[0, 1, 2, 3, 4, 7, 14, 15, 1, 0, 3, 2, 5, 6, 15, 14, 2, 3, 0, 1, 6, 5, 12, 13, 3, 2, 1, 0, 7, 4, 13, 12, 4, 5, 6, 7, 0, 3, 10, 11, 7, 6, 5, 4, 3, 0, 9, 8, 14, 15, 12, 13, 10, 9, 0, 1, 15, 14, 13, 12, 11, 8, 1, 0]> : tensor<64xui4>
module {
  func.func @main(%arg0: tensor<64xui4>, %arg1: tensor<64xui4>) -> tensor<64xui4> {
    %r0 = "stablehlo.xor"(%arg0, %arg1) : (tensor<64xui4>, tensor<64xui4>) -> tensor<64xui4>
    "func.return"(%r0) : (tensor<64xui4>) -> ()
  }
}

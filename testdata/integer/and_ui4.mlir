// clause: and: bitwise and
// Every pair of values at the edges: zeros, ones, bounds and what lies beside them.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 7, 7, 7, 7, 7, 7, 7, 7, 14, 14, 14, 14, 14, 14, 14, 14, 15, 15, 15, 15, 15, 15, 15, 15]> : tensor<64xui4>
// args: dense<[0, 1, 2, 3, 4, 7, 14, 15, 0, 1, 2, 3, 4, 7, 14, 15, 0, 1, 2, 3, 4, 7, 14, 15, 0, 1, 2, 3, 4, 7, 14, 15, 0, 1, 2, 3, 4, 7, 14, 15, 0, 1, 2, 3, 4, 7, 14, 15, 0, 1, 2, 3, 4, 7, 14, 15, 0, 1, 2, 3, 4, 7, 14, 15]> : tensor<64xui4>
// expect: dense<[0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 2, 2, 0, 2, 2, 2, 0, 1, 2, 3, 0, 3, 2, 3, 0, 0, 0, 0, 4, 4, 4, 4, 0, 1, 2, 3, 4, 7, 6, 7, 0, 0, 2, 2, 4, 6, 14, 14, 0, 1, 2, 3, 4, 7, 14, 15]> : tensor<64xui4>
module {
  func.func @main(%arg0: tensor<64xui4>, %arg1: tensor<64xui4>) -> tensor<64xui4> {
    %r0 = "stablehlo.and"(%arg0, %arg1) : (tensor<64xui4>, tensor<64xui4>) -> tensor<64xui4>
    "func.return"(%r0) : (tensor<64xui4>) -> ()
  }
}

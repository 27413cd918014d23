// clause: or: bitwise or
// Every pair of values at the edges: zeros, ones, bounds and what lies beside them.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 7, 7, 7, 7, 7, 7, 7, 7, 14, 14, 14, 14, 14, 14, 14, 14, 15, 15, 15, 15, 15, 15, 15, 15]> : tensor<64xui4>
// args: dense<[0, 1, 2, 3, 4, 7, 14, 15, 0, 1, 2, 3, 4, 7, 14, 15, 0, 1, 2, 3, 4, 7, 14, 15, 0, 1, 2, 3, 4, 7, 14, 15, 0, 1, 2, 3, 4, 7, 14, 15, 0, 1, 2, 3, 4, 7, 14, 15, 0, 1, 2, 3, 4, 7, 14, 15, 0, 1, 2, 3, 4, 7, 14, 15]> : tensor<64xui4>
// expect: dense<[0, 1, 2, 3, 4, 7, 14, 15, 1, 1, 3, 3, 5, 7, 15, 15, 2, 3, 2, 3, 6, 7, 14, 15, 3, 3, 3, 3, 7, 7, 15, 15, 4, 5, 6, 7, 4, 7, 14, 15, 7, 7, 7, 7, 7, 7, 15, 15, 14, 15, 14, 15, 14, 15, 14, 15, 15, 15, 15, 15, 15, 15, 15, 15]> : tensor<64xui4>
module {
  func.func @main(%arg0: tensor<64xui4>, %arg1: tensor<64xui4>) -> tensor<64xui4> {
    %r0 = "stablehlo.or"(%arg0, %arg1) : (tensor<64xui4>, tensor<64xui4>) -> tensor<64xui4>
    "func.return"(%r0) : (tensor<64xui4>) -> ()
  }
}

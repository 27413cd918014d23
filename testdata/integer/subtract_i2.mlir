// clause: subtract: integer subtraction wraps
// Every pair of values at the edges: zeros, ones, bounds and what lies beside them.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-2, -2, -2, -2, -1, -1, -1, -1, 0, 0, 0, 0, 1, 1, 1, 1]> : tensor<16xi2>
// args: dense<[-2, -1, 0, 1, -2, -1, 0, 1, -2, -1, 0, 1, -2, -1, 0, 1]> : tensor<16xi2>
// expect: dense<[0, -1, -2, 1, 1, 0, -1, -2, -2, 1, 0, -1, -1, -2, 1, 0]> : tensor<16xi2>
module {
  func.func @main(%arg0: tensor<16xi2>, %arg1: tensor<16xi2>) -> tensor<16xi2> {
    %r0 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<16xi2>, tensor<16xi2>) -> tensor<16xi2>
    "func.return"(%r0) : (tensor<16xi2>) -> ()
  }
}

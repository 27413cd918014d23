// clause: dynamic_broadcast_in_dim: functionally identical to broadcast_in_dim
// A dimension expands, and the dimensions change places; output_dimensions is the shape of the result.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1], [2], [3]]> : tensor<3x1xi8>
// args: dense<[2, 3]> : tensor<2xi32>
// expect: dense<[[1, 2, 3], [1, 2, 3]]> : tensor<2x3xi8>
module {
  func.func @main(%x: tensor<3x1xi8>, %s: tensor<2xi32>) -> tensor<2x3xi8> {
    %0 = "stablehlo.dynamic_broadcast_in_dim"(%x, %s) {broadcast_dimensions = array<i64: 1, 0>, known_expanding_dimensions = array<i64: 1>} : (tensor<3x1xi8>, tensor<2xi32>) -> tensor<2x3xi8>
    func.return %0 : tensor<2x3xi8>
  }
}

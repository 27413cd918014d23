// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[48, 61, 62, -22], [-106, 29, -80, 16], [-101, 6, 75, -96]]> : tensor<3x4xi8>
// args: dense<[[-64, 37], [116, -80], [117, -6], [-69, 43]]> : tensor<4x2xi8>
// expect: dense<[[12776.0, -4422.0], [-316.0, -5074.0], [22559.0, -8795.0]]> : tensor<3x2xf32>
module {
  func.func @main(%arg0: tensor<3x4xi8>, %arg1: tensor<4x2xi8>) -> tensor<3x2xf32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4xi8>, tensor<4x2xi8>) -> tensor<3x2xf32>
    "func.return"(%r0) : (tensor<3x2xf32>) -> ()
  }
}

// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-14, 76, -37, 81], [-38, 46, -68, 107], [30, -85, 68, -32]]> : tensor<3x4xi8>
// args: dense<[[107, 42], [94, -107], [92, 42], [-2, 113]]> : tensor<4x2xi8>
// expect: dense<[[32, -97], [-68, -99], [4, 123]]> : tensor<3x2xi8>
module {
  func.func @main(%arg0: tensor<3x4xi8>, %arg1: tensor<4x2xi8>) -> tensor<3x2xi8> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4xi8>, tensor<4x2xi8>) -> tensor<3x2xi8>
    "func.return"(%r0) : (tensor<3x2xi8>) -> ()
  }
}

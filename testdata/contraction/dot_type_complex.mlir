// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[(1.0,1.0), (0.0,4.0), (2.0,-3.0), (2.0,-2.0)], [(-3.0,-2.0), (4.0,0.0), (0.0,-4.0), (4.0,-1.0)], [(1.0,-4.0), (-3.0,-4.0), (-2.0,3.0), (3.0,3.0)]]> : tensor<3x4xcomplex<f32>>
// args: dense<[[(-1.0,3.0), (1.0,3.0)], [(-4.0,4.0), (3.0,3.0)], [(-2.0,-4.0), (1.0,2.0)], [(4.0,-1.0), (0.0,2.0)]]> : tensor<4x2xcomplex<f32>>
// expect: dense<[[(-3.0e+01,-26.0), (-2.0,21.0)], [(-8.0,9.0), (25.0,5.0)], [(7.0e+01,22.0), (2.0,-17.0)]]> : tensor<3x2xcomplex<f32>>
module {
  func.func @main(%arg0: tensor<3x4xcomplex<f32>>, %arg1: tensor<4x2xcomplex<f32>>) -> tensor<3x2xcomplex<f32>> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4xcomplex<f32>>, tensor<4x2xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>
    "func.return"(%r0) : (tensor<3x2xcomplex<f32>>) -> ()
  }
}

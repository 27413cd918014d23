// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[(0.0,0.0), (3.0,-2.0)], [(-1.0,-2.0), (2.0,-2.0)], [(1.0,-2.0), (1.0,2.0)], [(-4.0,1.0), (1.0,-3.0)]], [[(-1.0,-1.0), (4.0,2.0)], [(4.0,-3.0), (1.0,-2.0)], [(-3.0,-2.0), (-1.0,4.0)], [(0.0,4.0), (4.0,0.0)]], [[(-3.0,-4.0), (0.0,-3.0)], [(1.0,4.0), (2.0,-2.0)], [(-1.0,1.0), (0.0,-1.0)], [(2.0,1.0), (2.0,4.0)]]]> : tensor<3x4x2xcomplex<f32>>
// args: dense<[[[(2.0,-1.0), (-4.0,-2.0), (-2.0,-1.0), (-4.0,3.0), (-2.0,4.0)], [(3.0,-1.0), (3.0,-1.0), (-1.0,4.0), (3.0,-1.0), (1.0,-4.0)]], [[(-4.0,-1.0), (-3.0,-1.0), (2.0,-2.0), (-3.0,-2.0), (0.0,2.0)], [(1.0,-4.0), (-2.0,-3.0), (-3.0,2.0), (1.0,4.0), (1.0,2.0)]], [[(-3.0,-1.0), (3.0,-4.0), (2.0,2.0), (-2.0,-2.0), (4.0,2.0)], [(-1.0,1.0), (-3.0,-1.0), (-2.0,-3.0), (-4.0,1.0), (3.0,-4.0)]], [[(4.0,1.0), (3.0,-3.0), (1.0,-1.0), (-3.0,-4.0), (2.0,2.0)], [(-1.0,3.0), (-4.0,-3.0), (0.0,3.0), (1.0,-4.0), (-4.0,-2.0)]]]> : tensor<4x2x5xcomplex<f32>>
// expect: dense<[[[(-2.0e+01,14.0), (-13.0,12.0), (-3.0,1.0), (9.0,23.0), (2.0,-14.0)], [(-19.0,32.0), (-18.0,29.0), (5.0,-17.0), (7.0,0.0), (-4.0,0.0)], [(1.0,-18.0), (15.0,13.0), (11.0,16.0), (31.0,-18.0), (1.0e+01,6.0)]], [[(6.0,-14.0), (-17.0,-9.0), (16.0,2.0e+01), (0.0,-17.0), (2.0,0.0)], [(0.0,3.0), (-3.0,-2.0e+01), (3.0,29.0), (27.0,-29.0), (14.0,-6.0)], [(-22.0,-16.0), (-1.0e+01,-3.0e+01), (-5.0,21.0), (26.0,-3.0), (-1.0e+01,-24.0)]]]> : tensor<2x3x5xcomplex<f32>>
module {
  func.func @main(%arg0: tensor<3x4x2xcomplex<f32>>, %arg1: tensor<4x2x5xcomplex<f32>>) -> tensor<2x3x5xcomplex<f32>> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [2], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4x2xcomplex<f32>>, tensor<4x2x5xcomplex<f32>>) -> tensor<2x3x5xcomplex<f32>>
    "func.return"(%r0) : (tensor<2x3x5xcomplex<f32>>) -> ()
  }
}

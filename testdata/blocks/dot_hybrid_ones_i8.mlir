// clause: dot_general: products of dequantized elements, each with its block's parameters
// Every weight has its own scale.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0.5, 1.5, -0.5, 2.0], [2.0, -0.5, -2.0, 4.0]]> : tensor<2x4xf32>
// args: dense<[[-7, 6], [4, 4], [4, 4], [-5, 7]]> : tensor<4x2xi8>
// expect: dense<[[-22.75, 5.875], [-83.0, 2.25]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[-9.5, 21.0], [-44.0, 3.0e+01]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[2.75, 52.5], [-7.25, 74.0]]> : tensor<2x2xf32>
// wrong (blocks twice as long): dense<[[-22.75, 52.5], [-83.0, 74.0]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x4xf32>, %arg1: tensor<4x2x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5, 0.25}, {2.0, 0.75}, {1.5, 0.125}, {3.0, 0.0625}}>>) -> tensor<2x2xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4xf32>, tensor<4x2x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5, 0.25}, {2.0, 0.75}, {1.5, 0.125}, {3.0, 0.0625}}>>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}

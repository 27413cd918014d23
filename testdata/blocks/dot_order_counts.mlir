// clause: dot_general: products of dequantized elements, each with its block's parameters
// Sums of f32 that are inexact: the order of blocks counts.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[1.0, 1.0, 1.0, 1.0]]> : tensor<1x4xf32>
// args: dense<[[1], [0], [1], [1]]> : tensor<4x1xi8>
// expect: dense<[[16777216.0]]> : tensor<1x1xf32>
// wrong (scales per block left out): dense<[[3.0]]> : tensor<1x1xf32>
// wrong (scale of the next block; scale of the block before; blocks half as long): dense<[[33554432.0]]> : tensor<1x1xf32>
// wrong (blocks twice as long): dense<[[5.033165e+07]]> : tensor<1x1xf32>
module {
  func.func @main(%arg0: tensor<1x4xf32>, %arg1: tensor<4x1x!quant.uniform<i8:f32:{0:2}, {{1.67772160000000000e+07}, {1.0}}>>) -> tensor<1x1xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<1x4xf32>, tensor<4x1x!quant.uniform<i8:f32:{0:2}, {{1.67772160000000000e+07}, {1.0}}>>) -> tensor<1x1xf32>
    func.return %r : tensor<1x1xf32>
  }
}

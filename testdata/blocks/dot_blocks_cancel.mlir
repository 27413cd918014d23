// clause: dot_general: products of dequantized elements, each with its block's parameters
// Two blocks of large scales cancel, and the third is what remains.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[1.0, 1.0, 1.0, 1.0, 1.0, 1.0]]> : tensor<1x6xf32>
// args: dense<[[5], [7], [-5], [-7], [3], [4]]> : tensor<6x1xi8>
// expect: dense<[[0.875]]> : tensor<1x1xf32>
// permitted (balanced): dense<[[1.0]]> : tensor<1x1xf32>
// wrong (scales per block left out): dense<[[7.0]]> : tensor<1x1xf32>
// wrong (scale of the next block): dense<[[19922942.0]]> : tensor<1x1xf32>
// wrong (scale of the block before): dense<[[-5242878.0]]> : tensor<1x1xf32>
// wrong (blocks half as long): dense<[[8388607.5]]> : tensor<1x1xf32>
// wrong (blocks twice as long): dense<[[7340032.0]]> : tensor<1x1xf32>
module {
  func.func @main(%arg0: tensor<1x6xf32>, %arg1: tensor<6x1x!quant.uniform<i8:f32:{0:2}, {{1048576.0}, {1048576.0}, {0.125}}>>) -> tensor<1x1xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<1x6xf32>, tensor<6x1x!quant.uniform<i8:f32:{0:2}, {{1048576.0}, {1048576.0}, {0.125}}>>) -> tensor<1x1xf32>
    func.return %r : tensor<1x1xf32>
  }
}

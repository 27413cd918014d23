// clause: dot_general: products of dequantized elements, each with its block's parameters
// Two vectors of blocks, a scalar result.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-7, -8, 4, 5, -1, 1]> : tensor<6xi8>
// args: dense<[6, -8, -4, 0, 4, -8]> : tensor<6xi8>
// expect: dense<-156> : tensor<i32>
// wrong (scales per block left out): dense<-96> : tensor<i32>
// wrong (scale of the next block): dense<936> : tensor<i32>
// wrong (blocks half as long): dense<172> : tensor<i32>
// wrong (blocks twice as long): dense<-84> : tensor<i32>
module {
  func.func @main(%arg0: tensor<6x!quant.uniform<i8:f32:{0:2}, {0.5, 2.0, 0.25}>>, %arg1: tensor<6x!quant.uniform<i8:f32:{0:3}, {0.25, 1.5}>>) -> tensor<!quant.uniform<i32:f32, 0.0625>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>} : (tensor<6x!quant.uniform<i8:f32:{0:2}, {0.5, 2.0, 0.25}>>, tensor<6x!quant.uniform<i8:f32:{0:3}, {0.25, 1.5}>>) -> tensor<!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<!quant.uniform<i32:f32, 0.0625>>
  }
}

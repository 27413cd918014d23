// clause: dot_general: products of dequantized elements, each with its block's parameters
// Nothing is contracted: an outer product of blocks.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0, -2, -5, -5]> : tensor<4xi8>
// args: dense<[0, -2, 4, 6]> : tensor<4xi8>
// expect: dense<[[0, 0, 0, 0], [0, 48, -8, -288], [0, 480, -80, -2880], [0, 480, -80, -2880]]> : tensor<4x4xi32>
// wrong (scales per block left out): dense<[[0, 0, 0, 0], [0, 64, -128, -192], [0, 160, -320, -480], [0, 160, -320, -480]]> : tensor<4x4xi32>
// wrong (scale of the next block): dense<[[0, 0, 0, 0], [0, 16, -768, -96], [0, 10, -480, -60], [0, 10, -480, -60]]> : tensor<4x4xi32>
// wrong (scale of the block before): dense<[[0, 0, 0, 0], [0, 32, -384, -48], [0, 20, -240, -30], [0, 20, -240, -30]]> : tensor<4x4xi32>
// wrong (blocks half as long): dense<[[0, 0, 0, 0], [0, 192, -32, -1152], [0, 120, -20, -720], [0, 480, -80, -2880]]> : tensor<4x4xi32>
// wrong (blocks twice as long): dense<[[0, 0, 0, 0], [0, 8, -96, -144], [0, 20, -240, -360], [0, 20, -240, -360]]> : tensor<4x4xi32>
module {
  func.func @main(%arg0: tensor<4x!quant.uniform<i8:f32:{0:2}, {0.5, 2.0}>>, %arg1: tensor<4x!quant.uniform<i8:f32:{0:1}, {0.25, 1.5, 0.125, 3.0}>>) -> tensor<4x4x!quant.uniform<i32:f32, 0.0625>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [], rhs_contracting_dimensions = []>} : (tensor<4x!quant.uniform<i8:f32:{0:2}, {0.5, 2.0}>>, tensor<4x!quant.uniform<i8:f32:{0:1}, {0.25, 1.5, 0.125, 3.0}>>) -> tensor<4x4x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<4x4x!quant.uniform<i32:f32, 0.0625>>
  }
}

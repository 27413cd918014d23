// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Elements of i8 with scales in f32.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[4, 1, -4, 0, -2, -3, 3, -2], [-1, -4, 0, 1, 0, 1, -1, 0]]> : tensor<2x8xi8>
// args: dense<[[-2, 2, 0, 2, -4, -3, 4, 1], [-1, 0, -1, 0, 1, -1, -1, 1]]> : tensor<2x8xi8>
// args: dense<[[0.3, 0.7], [0.1, 0.3]]> : tensor<2x2xf32>
// args: dense<[[0.7, 0.7], [0.1, 0.1]]> : tensor<2x2xf32>
// expect: dense<[[11.969999, -0.28], [-1.75, 0.010000002]]> : tensor<2x2xf32>
// permitted (balanced): dense<[[11.969999, -0.28], [-1.75, 0.010000001]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[21.0, -4.0], [-11.0, 1.0]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[2.73, -0.120000005], [-1.3299999, 0.030000001]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[11.969999, -0.84000003], [-0.61, 0.010000002]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x8xi8>, %arg1: tensor<2x8xi8>, %arg2: tensor<2x2xf32>, %arg3: tensor<2x2xf32>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xi8>, tensor<2x8xi8>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}

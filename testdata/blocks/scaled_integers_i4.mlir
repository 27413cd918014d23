// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Elements of i4 with scales in f32.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0, 3, 1, 0, 1, 2, 2, 1], [-1, -4, 1, 0, 1, 0, -4, 0]]> : tensor<2x8xi4>
// args: dense<[[-2, 0, -3, -3, 0, -2, 1, -3], [-1, 3, -4, -4, 1, 0, 0, -1]]> : tensor<2x8xi4>
// args: dense<[[0.5, 0.25], [0.5, 0.25]]> : tensor<2x2xf32>
// args: dense<[[0.5, 0.5], [0.5, 0.25]]> : tensor<2x2xf32>
// expect: dense<[[-1.375, 1.25], [-0.75, -3.6875]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[-8.0, 5.0], [-5.0, -14.0]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-1.625, 0.3125], [-1.125, -0.6875]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[-1.375, 1.25], [-0.5, -3.6875]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x8xi4>, %arg1: tensor<2x8xi4>, %arg2: tensor<2x2xf32>, %arg3: tensor<2x2xf32>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xi4>, tensor<2x8xi4>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}

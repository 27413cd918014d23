// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Zero times an infinite element is NaN.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x3C, 0x3C, 0x7C, 0x3C]]> : tensor<1x4xf8E5M2>
// args: dense<[[0x3C, 0x3C, 0x3C, 0x3C], [0x40, 0x40, 0x40, 0x40]]> : tensor<2x4xf8E5M2>
// args: dense<[[1.0, 0.0]]> : tensor<1x2xf32>
// args: dense<[[0.5, 3.0], [2.0, 2.0]]> : tensor<2x2xf32>
// expect: dense<[[0xFFC00000, 0xFFC00000]]> : tensor<1x2xf32>
// wrong (scales per block left out; scale of the next block; scale of the block before): dense<[[0x7F800000, 0x7F800000]]> : tensor<1x2xf32>
module {
  func.func @main(%arg0: tensor<1x4xf8E5M2>, %arg1: tensor<2x4xf8E5M2>, %arg2: tensor<1x2xf32>, %arg3: tensor<2x2xf32>) -> tensor<1x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<1x4xf8E5M2>, tensor<2x4xf8E5M2>, tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
    func.return %r : tensor<1x2xf32>
  }
}

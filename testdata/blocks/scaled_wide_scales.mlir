// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Scales 2^24 apart: what a block adds is lost in another order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[0x38, 0x38, 0x38, 0x38, 0x38, 0x38]]> : tensor<1x6xf8E4M3FN>
// args: dense<[[0x38, 0x38, 0x38, 0x00, 0xB8, 0xB8]]> : tensor<1x6xf8E4M3FN>
// args: dense<[[0x98, 0x7F, 0x98]]> : tensor<1x3xf8E8M0FNU>
// args: dense<[[0x7F, 0x7F, 0x7F]]> : tensor<1x3xf8E8M0FNU>
// expect: dense<[[0.0]]> : tensor<1x1xf32>
// wrong (scales per block left out): dense<[[1.0]]> : tensor<1x1xf32>
// wrong (scale of the next block): dense<[[-33554432.0]]> : tensor<1x1xf32>
// wrong (scale of the block before): dense<[[1.006633e+08]]> : tensor<1x1xf32>
module {
  func.func @main(%arg0: tensor<1x6xf8E4M3FN>, %arg1: tensor<1x6xf8E4M3FN>, %arg2: tensor<1x3xf8E8M0FNU>, %arg3: tensor<1x3xf8E8M0FNU>) -> tensor<1x1xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<1x6xf8E4M3FN>, tensor<1x6xf8E4M3FN>, tensor<1x3xf8E8M0FNU>, tensor<1x3xf8E8M0FNU>) -> tensor<1x1xf32>
    func.return %r : tensor<1x1xf32>
  }
}

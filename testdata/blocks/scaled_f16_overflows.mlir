// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// In f16 scaled elements overflow at 65,520.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x7E, 0x7E, 0x38, 0x38]]> : tensor<1x4xf8E4M3FN>
// args: dense<[[0x38, 0xB8, 0x38, 0x38], [0x38, 0x38, 0x38, 0x38]]> : tensor<2x4xf8E4M3FN>
// args: dense<[[0x87, 0x7F]]> : tensor<1x2xf8E8M0FNU>
// args: dense<[[0x80, 0x7F], [0x7E, 0x80]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[0xFE00, 0x7C00]]> : tensor<1x2xf16>
// wrong (scales per block left out): dense<[[2.0, 898.0]]> : tensor<1x2xf16>
// wrong (scale of the next block; scale of the block before): dense<[[1024.0, 2048.0]]> : tensor<1x2xf16>
module {
  func.func @main(%arg0: tensor<1x4xf8E4M3FN>, %arg1: tensor<2x4xf8E4M3FN>, %arg2: tensor<1x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<1x2xf16> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<1x4xf8E4M3FN>, tensor<2x4xf8E4M3FN>, tensor<1x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<1x2xf16>
    func.return %r : tensor<1x2xf16>
  }
}

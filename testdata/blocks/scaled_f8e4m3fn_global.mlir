// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// A scale for all multiplies the sums.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x30, 0xBC, 0xC0, 0x30, 0x40, 0x38, 0x30, 0x30], [0xC4, 0x40, 0xC4, 0xB8, 0x48, 0xC4, 0xC8, 0xC4]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0x44, 0xC4, 0x00, 0x3C, 0x3C, 0xB0, 0xC0, 0x00], [0x3C, 0x38, 0x48, 0xC0, 0x40, 0xC4, 0xBC, 0xC8]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0x7E, 0x7F], [0x80, 0x81]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x7D, 0x7F], [0x7F, 0x7F]]> : tensor<2x2xf8E8M0FNU>
// args: dense<0.7> : tensor<f32>
// expect: dense<[[1.640625, -4.6375], [37.625, 80.5]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[5.775, -8.05], [-0.7, 15.75]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[4.85625, -7.4375], [-40.774998, 14.0]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[1.640625, -8.3125], [5.075, 80.5]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x8xf8E4M3FN>, %arg1: tensor<2x8xf8E4M3FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>, %arg4: tensor<f32>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3, %arg4) : (tensor<2x8xf8E4M3FN>, tensor<2x8xf8E4M3FN>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>, tensor<f32>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}

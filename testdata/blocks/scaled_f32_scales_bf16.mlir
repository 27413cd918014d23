// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Scales in f32 are rounded to bf16 first.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[0xC0, 0xB0, 0xC0, 0x30, 0xBC, 0xC0, 0x44, 0x40], [0xBC, 0xB8, 0xC4, 0x30, 0xBC, 0xC0, 0xBC, 0x48]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0x38, 0x40, 0x40, 0xC8, 0x44, 0x48, 0xBC, 0xC0], [0x30, 0xC8, 0x48, 0xC8, 0x30, 0x3C, 0x40, 0x3C]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0.7, 0.1], [0.1, 0.1]]> : tensor<2x2xf32>
// args: dense<[[0.1, 0.7], [0.1, 0.3]]> : tensor<2x2xf32>
// expect: dense<[[-2.09375, -0.47265625], [-1.390625, -0.12988281]]> : tensor<2x2xbf16>
// permitted (balanced): dense<[[-2.09375, -0.46875], [-1.390625, -0.12988281]]> : tensor<2x2xbf16>
// wrong (scales per block left out): dense<[[-3.0e+01, -3.75], [-29.75, -11.5]]> : tensor<2x2xbf16>
// wrong (scale of the next block; scale of the block before): dense<[[-2.09375, 0.09472656], [-0.984375, -0.33007812]]> : tensor<2x2xbf16>
// wrong (scales of the other operand): dense<[[-2.09375, 0.27734375], [-1.3515625, -0.12988281]]> : tensor<2x2xbf16>
module {
  func.func @main(%arg0: tensor<2x8xf8E4M3FN>, %arg1: tensor<2x8xf8E4M3FN>, %arg2: tensor<2x2xf32>, %arg3: tensor<2x2xf32>) -> tensor<2x2xbf16> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xf8E4M3FN>, tensor<2x8xf8E4M3FN>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xbf16>
    func.return %r : tensor<2x2xbf16>
  }
}

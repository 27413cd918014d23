// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Equal blocks of opposite sign: the sum is 0.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x38, 0x40, 0x44, 0x48, 0xB8, 0xC0, 0xC4, 0xC8]]> : tensor<1x8xf8E4M3FN>
// args: dense<[[0x38, 0x38, 0x38, 0x38, 0x38, 0x38, 0x38, 0x38]]> : tensor<1x8xf8E4M3FN>
// args: dense<[[0x80, 0x80]]> : tensor<1x2xf8E8M0FNU>
// args: dense<[[0x7F, 0x7F]]> : tensor<1x2xf8E8M0FNU>
// expect: dense<[[0.0]]> : tensor<1x1xf32>
module {
  func.func @main(%arg0: tensor<1x8xf8E4M3FN>, %arg1: tensor<1x8xf8E4M3FN>, %arg2: tensor<1x2xf8E8M0FNU>, %arg3: tensor<1x2xf8E8M0FNU>) -> tensor<1x1xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<1x8xf8E4M3FN>, tensor<1x8xf8E4M3FN>, tensor<1x2xf8E8M0FNU>, tensor<1x2xf8E8M0FNU>) -> tensor<1x1xf32>
    func.return %r : tensor<1x1xf32>
  }
}

// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// 512 ones in bf16: 256 + 1 is 256, so the order of the sum counts.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<0x38> : tensor<1x512xf8E4M3FN>
// args: dense<0x38> : tensor<1x512xf8E4M3FN>
// args: dense<[[0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F]]> : tensor<1x16xf8E8M0FNU>
// args: dense<[[0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F]]> : tensor<1x16xf8E8M0FNU>
// expect: dense<[[256.0]]> : tensor<1x1xbf16>
// permitted (balanced): dense<[[512.0]]> : tensor<1x1xbf16>
module {
  func.func @main(%arg0: tensor<1x512xf8E4M3FN>, %arg1: tensor<1x512xf8E4M3FN>, %arg2: tensor<1x16xf8E8M0FNU>, %arg3: tensor<1x16xf8E8M0FNU>) -> tensor<1x1xbf16> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<1x512xf8E4M3FN>, tensor<1x512xf8E4M3FN>, tensor<1x16xf8E8M0FNU>, tensor<1x16xf8E8M0FNU>) -> tensor<1x1xbf16>
    func.return %r : tensor<1x1xbf16>
  }
}

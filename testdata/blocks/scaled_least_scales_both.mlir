// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Products of 2^-127 and 2^-127 are zero.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0xC0, 0x48, 0x30, 0x44]]> : tensor<1x4xf8E4M3FN>
// args: dense<[[0x48, 0x00, 0x40, 0xC4]]> : tensor<1x4xf8E4M3FN>
// args: dense<[[0x00, 0x7F]]> : tensor<1x2xf8E8M0FNU>
// args: dense<[[0x00, 0x7F]]> : tensor<1x2xf8E8M0FNU>
// expect: dense<[[-8.0]]> : tensor<1x1xf32>
// wrong (scales per block left out): dense<[[-16.0]]> : tensor<1x1xf32>
module {
  func.func @main(%arg0: tensor<1x4xf8E4M3FN>, %arg1: tensor<1x4xf8E4M3FN>, %arg2: tensor<1x2xf8E8M0FNU>, %arg3: tensor<1x2xf8E8M0FNU>) -> tensor<1x1xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<1x4xf8E4M3FN>, tensor<1x4xf8E4M3FN>, tensor<1x2xf8E8M0FNU>, tensor<1x2xf8E8M0FNU>) -> tensor<1x1xf32>
    func.return %r : tensor<1x1xf32>
  }
}

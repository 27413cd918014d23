// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// One product.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0xC0]]> : tensor<1x1xf8E4M3FN>
// args: dense<[[0xBC]]> : tensor<1x1xf8E4M3FN>
// args: dense<[[0x7D]]> : tensor<1x1xf8E8M0FNU>
// args: dense<[[0x7F]]> : tensor<1x1xf8E8M0FNU>
// expect: dense<[[0.75]]> : tensor<1x1xf32>
// wrong (scales per block left out): dense<[[3.0]]> : tensor<1x1xf32>
module {
  func.func @main(%arg0: tensor<1x1xf8E4M3FN>, %arg1: tensor<1x1xf8E4M3FN>, %arg2: tensor<1x1xf8E8M0FNU>, %arg3: tensor<1x1xf8E8M0FNU>) -> tensor<1x1xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<1x1xf8E4M3FN>, tensor<1x1xf8E4M3FN>, tensor<1x1xf8E8M0FNU>, tensor<1x1xf8E8M0FNU>) -> tensor<1x1xf32>
    func.return %r : tensor<1x1xf32>
  }
}

// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Scales in bf16.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x30, 0x44, 0xB8, 0x00, 0xC4, 0x44, 0x48, 0xB8], [0xC0, 0xC4, 0xBC, 0x3C, 0x40, 0xC4, 0xBC, 0xC4]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0x3C, 0xC0, 0xB0, 0x48, 0x3C, 0xB8, 0x00, 0x44], [0x38, 0x30, 0xC0, 0x3C, 0x40, 0xB0, 0xC4, 0x3C]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0.100097656, 0.100097656], [0.100097656, 0.100097656]]> : tensor<2x2xbf16>
// args: dense<[[0.30078125, 0.69921875], [0.30078125, 0.69921875]]> : tensor<2x2xbf16>
// expect: dense<[[-0.8779073, -1.3493633], [0.08357763, 0.437634]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[-15.25, -17.0], [6.75, 7.25]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-0.648582, -0.35229683], [0.59208155, 0.28807402]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x8xf8E4M3FN>, %arg1: tensor<2x8xf8E4M3FN>, %arg2: tensor<2x2xbf16>, %arg3: tensor<2x2xbf16>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xf8E4M3FN>, tensor<2x8xf8E4M3FN>, tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}

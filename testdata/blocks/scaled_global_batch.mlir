// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// A scale for all batches.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[0x3C, 0xC0, 0x00, 0xB0, 0x00, 0xBC, 0xC0, 0x30], [0xC8, 0x3C, 0x00, 0x00, 0xC0, 0xBC, 0x00, 0xB8]], [[0x30, 0xB0, 0xC0, 0x40, 0x38, 0xB8, 0x40, 0x48], [0xC0, 0xB0, 0xC0, 0xC8, 0x44, 0xC4, 0xC8, 0xBC]]]> : tensor<2x2x8xf8E4M3FN>
// args: dense<[[[0xB8, 0x44, 0x38, 0xC0, 0xB8, 0x40, 0x44, 0xC0], [0x38, 0x30, 0xC0, 0xBC, 0x3C, 0x30, 0x40, 0x30]], [[0x40, 0xB8, 0x3C, 0x00, 0xC8, 0x38, 0x00, 0x00], [0x30, 0x3C, 0x48, 0x44, 0x3C, 0xBC, 0x40, 0xC4]]]> : tensor<2x2x8xf8E4M3FN>
// args: dense<[[[0x81, 0x80], [0x7F, 0x7E]], [[0x7F, 0x7F], [0x7D, 0x7D]]]> : tensor<2x2x2xf8E8M0FNU>
// args: dense<[[[0x7E, 0x81], [0x80, 0x81]], [[0x81, 0x80], [0x7E, 0x81]]]> : tensor<2x2x2xf8E8M0FNU>
// args: dense<3.0> : tensor<f32>
// expect: dense<[[[-279.0, -78.0], [18.75, -45.0]], [[-48.0, -63.75], [-42.0, 8.34375]]]> : tensor<2x2x2xf32>
// wrong (scales per block left out): dense<[[[-49.5, -9.75], [28.5, -22.5]], [[-19.5, -22.5], [-64.5, -48.75]]]> : tensor<2x2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[[-216.0, -78.0], [52.5, -45.0]], [[-69.0, -37.5], [-54.75, -63.1875]]]> : tensor<2x2x2xf32>
// wrong (scales of the other operand): dense<[[[-279.0, -25.125], [228.0, -45.0]], [[-48.0, -15.0], [-189.75, 8.34375]]]> : tensor<2x2x2xf32>
module {
  func.func @main(%arg0: tensor<2x2x8xf8E4M3FN>, %arg1: tensor<2x2x8xf8E4M3FN>, %arg2: tensor<2x2x2xf8E8M0FNU>, %arg3: tensor<2x2x2xf8E8M0FNU>, %arg4: tensor<f32>) -> tensor<2x2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3, %arg4) : (tensor<2x2x8xf8E4M3FN>, tensor<2x2x8xf8E4M3FN>, tensor<2x2x2xf8E8M0FNU>, tensor<2x2x2xf8E8M0FNU>, tensor<f32>) -> tensor<2x2x2xf32>
    func.return %r : tensor<2x2x2xf32>
  }
}

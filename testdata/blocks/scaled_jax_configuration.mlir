// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// JAX's configuration says what the types say.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[0xC0, 0x3C, 0xC8, 0xC8, 0xC0, 0x40, 0xC0, 0xC0], [0xC8, 0xBC, 0xBC, 0xB8, 0x48, 0xB8, 0x44, 0x30]]]> : tensor<1x2x8xf8E4M3FN>
// args: dense<[[[0x00, 0xC4, 0x48, 0xC4, 0xC8, 0x48, 0x30, 0x48], [0x30, 0xB0, 0x00, 0xC0, 0xB0, 0x00, 0x00, 0xC0]]]> : tensor<1x2x8xf8E4M3FN>
// args: dense<[[[0x7E, 0x7F], [0x7E, 0x7D]]]> : tensor<1x2x2xf8E8M0FNU>
// args: dense<[[[0x7D, 0x80], [0x7D, 0x7D]]]> : tensor<1x2x2xf8E8M0FNU>
// expect: dense<[[[12.9375, 2.03125], [-8.0625, -0.09375]]]> : tensor<1x2x2xf32>
// wrong (scales per block left out): dense<[[[-1.5, 11.25], [-15.0, -2.25]]]> : tensor<1x2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[[-16.125, 2.1875], [-1.3125, -0.328125]]]> : tensor<1x2x2xf32>
// wrong (scales of the other operand): dense<[[[12.9375, 3.28125], [-3.9375, -0.09375]]]> : tensor<1x2x2xf32>
module {
  func.func @main(%arg0: tensor<1x2x8xf8E4M3FN>, %arg1: tensor<1x2x8xf8E4M3FN>, %arg2: tensor<1x2x2xf8E8M0FNU>, %arg3: tensor<1x2x2xf8E8M0FNU>) -> tensor<1x2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) {backend_config = "{\22scaled_dot_backend_config\22: {\22lhs_batch_dimensions\22: [0], \22rhs_batch_dimensions\22: [0], \22dequantize_type\22: \22F32\22}}", api_version = 2 : i32} : (tensor<1x2x8xf8E4M3FN>, tensor<1x2x8xf8E4M3FN>, tensor<1x2x2xf8E8M0FNU>, tensor<1x2x2xf8E8M0FNU>) -> tensor<1x2x2xf32>
    func.return %r : tensor<1x2x2xf32>
  }
}

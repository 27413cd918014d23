// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// A scale for all multiplies the sums.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x03, 0x01, 0x00, 0x0C, 0x02, 0x05, 0x02, 0x0D], [0x0A, 0x01, 0x0E, 0x0E, 0x09, 0x03, 0x0A, 0x09]]> : tensor<2x8xf4E2M1FN>
// args: dense<[[0x01, 0x06, 0x0E, 0x04, 0x0C, 0x06, 0x0E, 0x0D], [0x0C, 0x02, 0x04, 0x0C, 0x00, 0x01, 0x04, 0x05]]> : tensor<2x8xf4E2M1FN>
// args: dense<[[0x81, 0x7D], [0x7F, 0x81]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x7D, 0x81], [0x7F, 0x7F]]> : tensor<2x2xf8E8M0FNU>
// args: dense<0.7> : tensor<f32>
// expect: dense<[[9.625, 3.2375], [141.66249, -5.95]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[9.625, -2.8], [15.4, -0.175]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[9.625, -15.1375], [108.5875, 5.075]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[9.625, -61.337498], [28.7875, -5.95]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x8xf4E2M1FN>, %arg1: tensor<2x8xf4E2M1FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>, %arg4: tensor<f32>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3, %arg4) : (tensor<2x8xf4E2M1FN>, tensor<2x8xf4E2M1FN>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>, tensor<f32>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}

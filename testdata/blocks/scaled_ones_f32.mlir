// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// 512 ones in f32: exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<0x38> : tensor<1x512xf8E4M3FN>
// args: dense<0x38> : tensor<1x512xf8E4M3FN>
// args: dense<[[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80]]> : tensor<1x16xf8E8M0FNU>
// args: dense<[[0x7E, 0x7E, 0x7E, 0x7E, 0x7E, 0x7E, 0x7E, 0x7E, 0x7E, 0x7E, 0x7E, 0x7E, 0x7E, 0x7E, 0x7E, 0x7E]]> : tensor<1x16xf8E8M0FNU>
// expect: dense<[[512.0]]> : tensor<1x1xf32>
module {
  func.func @main(%arg0: tensor<1x512xf8E4M3FN>, %arg1: tensor<1x512xf8E4M3FN>, %arg2: tensor<1x16xf8E8M0FNU>, %arg3: tensor<1x16xf8E8M0FNU>) -> tensor<1x1xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<1x512xf8E4M3FN>, tensor<1x512xf8E4M3FN>, tensor<1x16xf8E8M0FNU>, tensor<1x16xf8E8M0FNU>) -> tensor<1x1xf32>
    func.return %r : tensor<1x1xf32>
  }
}

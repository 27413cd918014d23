// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// OCP MX: blocks of 32.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<"0xB8C440B0C848483CC80038C0B84000C844C43840C030B8B838443040B0B0C43C38C0B030303CC0C8C400383044BC303CB03CC048C8C0C03CC4B8C840B0C43CC03C38BCB0C8443C0000BCBCBC40443CB8B0BC48C030C4B0C03CB0C44430BCC84030C4BC0044B80048C0B0004000C03030C4C44444B83C443038484448480040BC"> : tensor<2x64xf8E4M3FN>
// args: dense<"0xC03C40B0C0C8B8B8C840383830C44848B84838C03CC0403048C8B8C0BCC040B8C40048C43C00C838B8383C4830C03844B0BC3C483038B044384044C80048C0B800B840B83CC0484044B800B8483C48C4BC0044BCC0B830003C40B848C4C444C0403830C8C030C440BCC4BC3C30C0C0380000BCB8C8B0B800C8B04838B83C44B8"> : tensor<2x64xf8E4M3FN>
// args: dense<[[0x7F, 0x7E], [0x7D, 0x7D]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x81, 0x7F], [0x7E, 0x7F]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[-253.625, 20.625], [-7.375, 8.46875]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[-73.25, 41.25], [22.25, 51.75]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-76.0, 20.625], [35.1875, 10.9375]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[-253.625, 23.8125], [11.125, 8.46875]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x64xf8E4M3FN>, %arg1: tensor<2x64xf8E4M3FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x64xf8E4M3FN>, tensor<2x64xf8E4M3FN>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}

// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Two batches of NVFP4.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<"0x0E02020904060202010A06010C0E0B0D060500020D0C040504060B0E090001060B090A0D04000D0D0009030C0106050C0905000E020C060C03030503010B090A020B000303090B050C09030B090A0E0604010D0003000901020D0C0502020603030C0C0A03060E0E050E060A00030A0B060B05090D02020A05060A0109000200"> : tensor<2x2x32xf4E2M1FN>
// args: dense<"0x040B020304060109020D0B03050A0D030C0E0C0C040000090A0E0C05010B000A01030D0C06050B040203060C0B090906040C090D000B060905060E0203030D030C010505060E0C020A0B0A020C0A0E0C0B0D0D000905000400010C0A030A030E0609020B0D01020E020D00020B01000005000B00050C0005000A0C030D09010D"> : tensor<2x2x32xf4E2M1FN>
// args: dense<[[[0x44, 0x40], [0x3C, 0x28]], [[0x30, 0x28], [0x40, 0x30]]]> : tensor<2x2x2xf8E4M3FN>
// args: dense<[[[0x3C, 0x28], [0x44, 0x40]], [[0x28, 0x3C], [0x3C, 0x30]]]> : tensor<2x2x2xf8E4M3FN>
// expect: dense<[[[1.125, 376.75], [-49.84375, 61.25]], [[4.96875, -10.375], [-10.5625, 90.8125]]]> : tensor<2x2x2xf32>
// wrong (scales per block left out): dense<[[[-53.75, 62.0], [-27.5, 34.5]], [[30.25, 4.5], [-19.25, 25.0]]]> : tensor<2x2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[[-269.875, 429.25], [-13.75, 111.25]], [[10.15625, 14.3125], [-13.5, -9.5625]]]> : tensor<2x2x2xf32>
// wrong (scales of the other operand): dense<[[[1.125, 60.203125], [-2.2e+02, 61.25]], [[4.96875, 7.75], [-12.09375, 90.8125]]]> : tensor<2x2x2xf32>
module {
  func.func @main(%arg0: tensor<2x2x32xf4E2M1FN>, %arg1: tensor<2x2x32xf4E2M1FN>, %arg2: tensor<2x2x2xf8E4M3FN>, %arg3: tensor<2x2x2xf8E4M3FN>) -> tensor<2x2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x2x32xf4E2M1FN>, tensor<2x2x32xf4E2M1FN>, tensor<2x2x2xf8E4M3FN>, tensor<2x2x2xf8E4M3FN>) -> tensor<2x2x2xf32>
    func.return %r : tensor<2x2x2xf32>
  }
}

// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Elements of 4 bits, blocks of 32.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<"0x0B06010E09040B01000E0D0E0106010B000C050D020000090C000B050E0E020009060B0A0D0C030D0303010C0E01030006090A0A0C090B000D090D03020406020205090D0D0609060609090A0009060D0600050604030604010A020B0A06020B0C030B0D09000603030A010B0401060B0B0E0206040403030304090B050B0303"> : tensor<2x64xf4E2M1FN>
// args: dense<"0x0B0B0B0A0102060B0C0D0204030D0D0B0D050A090B0E0509040B0A0206000A0D0A030B0D0D040B02040105030A0005010D040003040E0C050000050603040D0B01030A0A03000D060D0509020C00040E010004030C0C04050D0E040E0E090600020A0E0B000D020D0A040905050206020E0C0C0305020D000B0C0305010A050D"> : tensor<2x64xf4E2M1FN>
// args: dense<[[0x7E, 0x7F], [0x7E, 0x7E]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x80, 0x7F], [0x81, 0x7E]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[-42.5, 36.875], [-32.875, 137.5625]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[-42.5, 22.75], [-27.5, 97.0]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-42.5, 2.0e+01], [-8.375, 80.6875]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[-42.5, 19.875], [-71.125, 137.5625]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x64xf4E2M1FN>, %arg1: tensor<2x64xf4E2M1FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x64xf4E2M1FN>, tensor<2x64xf4E2M1FN>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}

// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// f8E4M3FN times f8E5M2.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<"0xBCB048C448BC4048B80048C044C83C4044C44830C0BC48BCC0B038B048C448C8384048C44030C8B848C430C84044383CB040B8383C44BC48B848C4C4003CBCB840C000C4B8BC443C4400300000003030C0C4C4BCC048443C40C0BC00C8403C38B8C840B83CBC303C400044B0B0483C3030B044B80044C4C4C800BC44C4C0C0C8"> : tensor<2x64xf8E4M3FN>
// args: dense<"0x3E3E3EC44442C0BE3EBEC0003838C23E42B83EC4BC3E44C23E3E38C2BCBC0038C03EB8BC00443CC440BC4444BE3E38C23CC200BE3CC2C40038443CC2003E00C4BE40423E40C400BEC2B83EBEB8BE004444BEBCC0B8BC403CC2B8C2BC38C0BCC038BEC0C000C4C24040C0B8C4B84042C4C200443CBC44C040C0C4BEBCB8B8383E"> : tensor<2x64xf8E5M2>
// args: dense<[[0x7F, 0x80], [0x81, 0x7F]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x7D, 0x7D], [0x7F, 0x7E]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[17.125, 123.25], [15.125, -50.75]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[51.75, 123.25], [23.75, 31.5]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[21.6875, 123.25], [14.5625, 192.5]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[17.125, 88.9375], [23.75, -50.75]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x64xf8E4M3FN>, %arg1: tensor<2x64xf8E5M2>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x64xf8E4M3FN>, tensor<2x64xf8E5M2>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}

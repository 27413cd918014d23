// clause: exec(schedule): every element is a leaf
// 131 = 128 + 3: a loop over vectors of 4 to 128 lanes leaves three elements over. The last one is the
// largest.
// derivation: by hand: the others rise from -128 to 1.
// args: dense<"0x808182838485868788898A8B8C8D8E8F909192939495969798999A9B9C9D9E9FA0A1A2A3A4A5A6A7A8A9AAABACADAEAFB0B1B2B3B4B5B6B7B8B9BABBBCBDBEBFC0C1C2C3C4C5C6C7C8C9CACBCCCDCECFD0D1D2D3D4D5D6D7D8D9DADBDCDDDEDFE0E1E2E3E4E5E6E7E8E9EAEBECEDEEEFF0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF000107"> : tensor<131xi8>
// args: dense<-128> : tensor<i8>
// expect: dense<7> : tensor<i8>
// wrong (the rest after full vectors left out): dense<-1> : tensor<i8>
// wrong (the last element left out): dense<1> : tensor<i8>
!i8 = !quant.uniform<i8:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<131x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<131x!i8>, tensor<!i8>) -> tensor<!i8>
    "func.return"(%0) : (tensor<!i8>) -> ()
  }) {function_type = (tensor<131x!i8>, tensor<!i8>) -> tensor<!i8>, sym_name = "main"} : () -> ()
}

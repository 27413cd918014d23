// clause: quantize: saturate at the storage bounds
// Sums leave the storage type; wrapping, as integers do, gives another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[26612, 25418, 31984, -27338, -27246, 31924], [27386, 30179, -25745, 27774, -30732, -27450]]> : tensor<2x6xi16>
// args: dense<5> : tensor<i16>
// expect: dense<[10092, -25425]> : tensor<2xi16>
// permitted (balanced): dense<[31913, 1387]> : tensor<2xi16>
// wrong (wrapped instead of saturated): dense<[-4207, 1387]> : tensor<2xi16>
!i16 = !quant.uniform<i16:f32, 0.01:5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i16>, %init: tensor<!i16>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i16>, tensor<!i16>) -> tensor<2x!i16>
    "func.return"(%0) : (tensor<2x!i16>) -> ()
  }) {function_type = (tensor<2x6x!i16>, tensor<!i16>) -> tensor<2x!i16>, sym_name = "main"} : () -> ()
}

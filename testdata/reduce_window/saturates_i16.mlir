// clause: quantize: saturate at the storage bounds
// Sums leave the storage type; wrapping, as integers do, gives another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[26612, 25418, 31984, -27338, -27246, 31924, 27386]> : tensor<7xi16>
// args: dense<5> : tensor<i16>
// expect: dense<[32767, 5424, -849, 32767]> : tensor<4xi16>
// permitted (balanced): dense<[32767, 30054, -22670, 32767]> : tensor<4xi16>
// wrong (wrapped instead of saturated): dense<[-13511, 30054, -22670, -6231]> : tensor<4xi16>
!i16 = !quant.uniform<i16:f32, 0.01:5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!i16>, %init: tensor<!i16>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i16>, tensor<!i16>) -> tensor<4x!i16>
    "func.return"(%0) : (tensor<4x!i16>) -> ()
  }) {function_type = (tensor<7x!i16>, tensor<!i16>) -> tensor<4x!i16>, sym_name = "main"} : () -> ()
}

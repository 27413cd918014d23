// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[60, 30, -10, 5]> : tensor<4xi16>
// args: dense<1> : tensor<i16>
// expect: dense<[32767, 21, -4]> : tensor<3xi16>
!i16 = !quant.uniform<i16:f16, 1000.0>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x!i16>, %init: tensor<!i16>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<4x!i16>, tensor<!i16>) -> tensor<3x!i16>
    "func.return"(%0) : (tensor<3x!i16>) -> ()
  }) {function_type = (tensor<4x!i16>, tensor<!i16>) -> tensor<3x!i16>, sym_name = "main"} : () -> ()
}

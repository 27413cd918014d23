// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[255, 251, 249, 233, 211, 187, 255, 241, 199]> : tensor<9xui8>
// args: dense<6> : tensor<ui8>
// expect: dense<[490, 484, 466, 428, 382, 426, 480, 424]> : tensor<8xi16>
!u8 = !quant.uniform<u8:f16, 0.3:5>
!i16 = !quant.uniform<i16:f16, 0.3:-7>
module {
  "func.func"() ({
  ^bb0(%input: tensor<9x!u8>, %init: tensor<!u8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<9x!u8>, tensor<!u8>) -> tensor<8x!i16>
    "func.return"(%0) : (tensor<8x!i16>) -> ()
  }) {function_type = (tensor<9x!u8>, tensor<!u8>) -> tensor<8x!i16>, sym_name = "main"} : () -> ()
}

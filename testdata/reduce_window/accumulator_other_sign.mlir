// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[255, 200, 3, 0]> : tensor<4xui8>
// args: dense<11> : tensor<ui8>
// expect: dense<[436, 184, -16]> : tensor<3xi16>
!u8 = !quant.uniform<u8:f32, 0.5:10>
!i16 = !quant.uniform<i16:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x!u8>, %init: tensor<!u8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<4x!u8>, tensor<!u8>) -> tensor<3x!i16>
    "func.return"(%0) : (tensor<3x!i16>) -> ()
  }) {function_type = (tensor<4x!u8>, tensor<!u8>) -> tensor<3x!i16>, sym_name = "main"} : () -> ()
}

// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[255, 0, 128, 129, 7], [7, 129, 128, 0, 255], [0, 128, 129, 7, 255], [1, 255, 128, 127, 249]]> : tensor<4x5xui8>
// args: dense<129> : tensor<ui8>
// expect: dense<[-127, -127, -127, 114]> : tensor<4xi16>
!u8 = !quant.uniform<u8:f32, 0.1:128>
!i16 = !quant.uniform<i16:f32, 0.1:-7>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x5x!u8>, %init: tensor<!u8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<4x5x!u8>, tensor<!u8>) -> tensor<4x!i16>
    "func.return"(%0) : (tensor<4x!i16>) -> ()
  }) {function_type = (tensor<4x5x!u8>, tensor<!u8>) -> tensor<4x!i16>, sym_name = "main"} : () -> ()
}

// clause: maximum: dequantize, maximum, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[255, 200, 3, 0], [0, 3, 200, 255], [200, 3, 0, 255], [0, 0, 17, 20]]> : tensor<4x4xui8>
// args: dense<255> : tensor<ui8>
// expect: dense<[245, 245, 245, 245]> : tensor<4xi16>
!u8 = !quant.uniform<u8:f32, 0.5:10>
!i16 = !quant.uniform<i16:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x4x!u8>, %init: tensor<!u8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<4x4x!u8>, tensor<!u8>) -> tensor<4x!i16>
    "func.return"(%0) : (tensor<4x!i16>) -> ()
  }) {function_type = (tensor<4x4x!u8>, tensor<!u8>) -> tensor<4x!i16>, sym_name = "main"} : () -> ()
}

// clause: minimum: dequantize, minimum, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[255, 251, 249, 233, 211, 187, 255, 241, 199], [199, 241, 255, 187, 211, 233, 249, 251, 255], [251, 249, 233, 211, 187, 255, 241, 199, 255], [0, 0, 0, 0, 0, 0, 0, 0, 0]]> : tensor<4x9xui8>
// args: dense<255> : tensor<ui8>
// expect: dense<[175, 175, 175, -12]> : tensor<4xi16>
!u8 = !quant.uniform<u8:f16, 0.3:5>
!i16 = !quant.uniform<i16:f16, 0.3:-7>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x9x!u8>, %init: tensor<!u8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.minimum"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<4x9x!u8>, tensor<!u8>) -> tensor<4x!i16>
    "func.return"(%0) : (tensor<4x!i16>) -> ()
  }) {function_type = (tensor<4x9x!u8>, tensor<!u8>) -> tensor<4x!i16>, sym_name = "main"} : () -> ()
}

// clause: minimum: dequantize, minimum, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[255, 3, 17, 131, 77], [77, 131, 17, 3, 255], [3, 17, 131, 77, 255], [-249, 3, -11, -125, -71]]> : tensor<4x5xi16>
// args: dense<255> : tensor<i16>
// expect: dense<[3, 3, 3, -250]> : tensor<4xi16>
!i16 = !quant.uniform<i16:bf16, 0.3:3>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x5x!i16>, %init: tensor<!i16>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.minimum"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<4x5x!i16>, tensor<!i16>) -> tensor<4x!i16>
    "func.return"(%0) : (tensor<4x!i16>) -> ()
  }) {function_type = (tensor<4x5x!i16>, tensor<!i16>) -> tensor<4x!i16>, sym_name = "main"} : () -> ()
}

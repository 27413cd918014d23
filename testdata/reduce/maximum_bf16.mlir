// clause: maximum: dequantize, maximum, quantize: it can change a value
// Quantizing the dequantized value gives a neighbour; the largest stored integer is not the answer.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[-30804, -31753, -26100, -31385, -32537, -21542], [-23167, -20004, -31746, -30256, -31282, -24932]]> : tensor<2x6xi16>
// args: dense<-32768> : tensor<i16>
// expect: dense<[-21504, -19968]> : tensor<2xi16>
// wrong (largest stored integer, not requantized): dense<[-21542, -20004]> : tensor<2xi16>
!i16 = !quant.uniform<i16:bf16, 0.3>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i16>, %init: tensor<!i16>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i16>, tensor<!i16>) -> tensor<2x!i16>
    "func.return"(%0) : (tensor<2x!i16>) -> ()
  }) {function_type = (tensor<2x6x!i16>, tensor<!i16>) -> tensor<2x!i16>, sym_name = "main"} : () -> ()
}

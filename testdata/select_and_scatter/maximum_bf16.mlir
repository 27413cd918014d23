// clause: maximum: dequantize, maximum, quantize: it can change a value
// Quantizing the dequantized value gives a neighbour; the largest stored integer is not the answer.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-30804, -31753, -26100, -31385, -32537, -21542, -23167]> : tensor<7xi16>
// args: dense<[-20004, -31746, -30256, -31282, -24932, -30931, -17749]> : tensor<7xi16>
// args: dense<-32768> : tensor<i16>
// expect: dense<[-19968, -32768, -30208, -32768, -32768, -17792, -32768]> : tensor<7xi16>
// wrong (largest stored integer, not requantized): dense<[-20004, -32768, -30256, -32768, -32768, -17749, -32768]> : tensor<7xi16>
!i16 = !quant.uniform<i16:bf16, 0.3>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i16>, %source: tensor<7x!i16>, %init_value: tensor<!i16>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i16>, tensor<!i16>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i16>, tensor<7x!i16>, tensor<!i16>) -> tensor<7x!i16>
    "func.return"(%0) : (tensor<7x!i16>) -> ()
  }) {function_type = (tensor<7x!i16>, tensor<7x!i16>, tensor<!i16>) -> tensor<7x!i16>, sym_name = "main"} : () -> ()
}

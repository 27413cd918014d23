// clause: maximum: dequantize, maximum, quantize: it can change a value
// Quantizing the dequantized value gives a neighbour; the largest stored integer is not the answer.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-29369, -28674, -31985, -25146, -22329, -22350, -20571]> : tensor<7xi16>
// args: dense<[-20233, -17279, -28867, -27972, -17047, -28285, -16617]> : tensor<7xi16>
// args: dense<-32768> : tensor<i16>
// expect: dense<[-32768, -17280, -32768, -28864, -17040, -32768, -16624]> : tensor<7xi16>
// wrong (largest stored integer, not requantized): dense<[-32768, -17279, -32768, -28867, -17047, -32768, -16617]> : tensor<7xi16>
!i16 = !quant.uniform<i16:f16, 0.1>
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

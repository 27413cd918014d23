// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[0, 0, 0, 32767, 0, 0, 0]> : tensor<7xi16>
// args: dense<[127, 1, 128, 129, 513, 255, 77, 127, 1, 128, 129, 513, 255]> : tensor<13xi16>
// args: dense<1> : tensor<i16>
// expect: dense<[257, 1, 1, 1230, 130, 514, 256]> : tensor<7xi16>
!i16 = !quant.uniform<i16:f16, 0.1>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i16>, %source: tensor<13x!i16>, %init_value: tensor<!i16>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i16>, tensor<!i16>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 7>, padding = dense<[[6, 6]]> : tensor<1x2xi64>} : (tensor<7x!i16>, tensor<13x!i16>, tensor<!i16>) -> tensor<7x!i16>
    "func.return"(%0) : (tensor<7x!i16>) -> ()
  }) {function_type = (tensor<7x!i16>, tensor<13x!i16>, tensor<!i16>) -> tensor<7x!i16>, sym_name = "main"} : () -> ()
}

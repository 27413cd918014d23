// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[3000, 32767, 3000]> : tensor<3xi16>
// args: dense<[3001, 2999, 3003, 3001, 2999]> : tensor<5xi16>
// args: dense<3001> : tensor<i16>
// expect: dense<[3002, 3004, 3000]> : tensor<3xi16>
!i16 = !quant.uniform<i16:f16, 1.0:3000>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<3x!i16>, %source: tensor<5x!i16>, %init_value: tensor<!i16>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i16>, tensor<!i16>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[2, 2]]> : tensor<1x2xi64>} : (tensor<3x!i16>, tensor<5x!i16>, tensor<!i16>) -> tensor<3x!i16>
    "func.return"(%0) : (tensor<3x!i16>) -> ()
  }) {function_type = (tensor<3x!i16>, tensor<5x!i16>, tensor<!i16>) -> tensor<3x!i16>, sym_name = "main"} : () -> ()
}

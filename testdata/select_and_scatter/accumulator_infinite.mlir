// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[0, 0, 32767, 0]> : tensor<4xi16>
// args: dense<[60, 30, -10, 5, 60, 30, -10]> : tensor<7xi16>
// args: dense<1> : tensor<i16>
// expect: dense<[32767, 1, 32767, -9]> : tensor<4xi16>
!i16 = !quant.uniform<i16:f16, 1000.0>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<4x!i16>, %source: tensor<7x!i16>, %init_value: tensor<!i16>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i16>, tensor<!i16>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 4>, padding = dense<[[3, 3]]> : tensor<1x2xi64>} : (tensor<4x!i16>, tensor<7x!i16>, tensor<!i16>) -> tensor<4x!i16>
    "func.return"(%0) : (tensor<4x!i16>) -> ()
  }) {function_type = (tensor<4x!i16>, tensor<7x!i16>, tensor<!i16>) -> tensor<4x!i16>, sym_name = "main"} : () -> ()
}

// clause: quantize: x / scale is a division
// Multiplication by the rounded reciprocal differs in the last bit of large quotients.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-24754, 13226, -32138, 10686, -7448, 2659, -22058]> : tensor<7xi16>
// args: dense<[301, -12732, 25560, 32763, -23883, 11200, 14920]> : tensor<7xi16>
// args: dense<0> : tensor<i16>
// expect: dense<[0, 4376333, 0, 2960000, 0, 8706667, 0]> : tensor<7xi32>
// wrong (multiplied by the reciprocal of the scale): dense<[0, 4376333, 0, 2960000, 0, 8706668, 0]> : tensor<7xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[0, 13129, 0, 8880, 0, 26120, 0]> : tensor<7xi32>
!i16 = !quant.uniform<i16:f32, 1000.0>
!i32 = !quant.uniform<i32:f32, 3.0>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i16>, %source: tensor<7x!i16>, %init_value: tensor<!i16>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i16>, tensor<!i16>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i16>, tensor<7x!i16>, tensor<!i16>) -> tensor<7x!i32>
    "func.return"(%0) : (tensor<7x!i32>) -> ()
  }) {function_type = (tensor<7x!i16>, tensor<7x!i16>, tensor<!i16>) -> tensor<7x!i32>, sym_name = "main"} : () -> ()
}

// clause: quantize: x / scale is a division
// Multiplication by the rounded reciprocal differs in the last bit of large quotients.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[-24754, 13226, -32138, 10686, -7448, 2659], [-22058, 301, -12732, 25560, 32763, -23883]]> : tensor<2x6xi16>
// args: dense<0> : tensor<i16>
// expect: dense<[-12589668, -16334]> : tensor<2xi32>
// permitted (balanced): dense<[-12589667, -16333]> : tensor<2xi32>
// wrong (multiplied by the reciprocal of the scale): dense<[-12589670, -16334]> : tensor<2xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[-37769, -49]> : tensor<2xi32>
!i16 = !quant.uniform<i16:f32, 1000.0>
!i32 = !quant.uniform<i32:f32, 3.0>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i16>, %init: tensor<!i16>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i16>, tensor<!i16>) -> tensor<2x!i32>
    "func.return"(%0) : (tensor<2x!i32>) -> ()
  }) {function_type = (tensor<2x6x!i16>, tensor<!i16>) -> tensor<2x!i32>, sym_name = "main"} : () -> ()
}

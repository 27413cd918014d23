// clause: quantize: x / scale is a division
// Multiplication by the rounded reciprocal differs in the last bit of large quotients.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[115, -43, -123, -39, -110, 107, 69]> : tensor<7xi8>
// args: dense<[-109, 27, 13, 78, 7, 75, -117]> : tensor<7xi8>
// args: dense<0> : tensor<i8>
// expect: dense<[-2342, 0, 0, 2600, 0, -1000, 0]> : tensor<7xi16>
// wrong (multiplied by the reciprocal of the scale): dense<[-2342, 0, 0, 2598, 0, -996, 0]> : tensor<7xi16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[-82, 0, 0, 91, 0, -35, 0]> : tensor<7xi16>
// wrong (accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[-2343, 0, 0, 2599, 0, -1000, 0]> : tensor<7xi16>
!i8 = !quant.uniform<i8:f16, 20.0>
!i16 = !quant.uniform<i16:f16, 0.7>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i8>, %source: tensor<7x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<7x!i16>
    "func.return"(%0) : (tensor<7x!i16>) -> ()
  }) {function_type = (tensor<7x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<7x!i16>, sym_name = "main"} : () -> ()
}

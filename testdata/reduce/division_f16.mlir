// clause: quantize: x / scale is a division
// Multiplication by the rounded reciprocal differs in the last bit of large quotients.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[-35, -13, 35, -69, -45, 21], [-94, -5, -91, -88, 101, 105]]> : tensor<2x6xi8>
// args: dense<0> : tensor<i8>
// expect: dense<[-3028, -2056]> : tensor<2xi16>
// wrong (multiplied by the reciprocal of the scale): dense<[-3024, -2045]> : tensor<2xi16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[-106, -72]> : tensor<2xi16>
// wrong (accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[-3027, -2057]> : tensor<2xi16>
!i8 = !quant.uniform<i8:f16, 20.0>
!i16 = !quant.uniform<i16:f16, 0.7>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i16>
    "func.return"(%0) : (tensor<2x!i16>) -> ()
  }) {function_type = (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i16>, sym_name = "main"} : () -> ()
}

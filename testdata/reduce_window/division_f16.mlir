// clause: quantize: x / scale is a division
// Multiplication by the rounded reciprocal differs in the last bit of large quotients.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[115, -43, -123, -39, -110, 107, 69]> : tensor<7xi8>
// args: dense<0> : tensor<i8>
// expect: dense<[2056, -5848, -1200, 5028]> : tensor<4xi16>
// permitted (balanced): dense<[2056, -5856, -1200, 5028]> : tensor<4xi16>
// wrong (multiplied by the reciprocal of the scale): dense<[2056, -5848, -1199, 5024]> : tensor<4xi16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[72, -205, -42, 176]> : tensor<4xi16>
// wrong (accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[2056, -5856, -1200, 5027]> : tensor<4xi16>
!i8 = !quant.uniform<i8:f16, 20.0>
!i16 = !quant.uniform<i16:f16, 0.7>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i16>
    "func.return"(%0) : (tensor<4x!i16>) -> ()
  }) {function_type = (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i16>, sym_name = "main"} : () -> ()
}

// clause: quantize: the zero point is added before rounding, ties to even
// The zero point is odd and quotients end in .5: rounding before adding it, or away from zero, is off by
// one.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-9, -4, -16, 10, -12, 14, 12]> : tensor<7xi8>
// args: dense<[8, -5, -5, 20, 8, 10, 16]> : tensor<7xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[5, 4, 5, 10, 5, 18, 5]> : tensor<7xi8>
// wrong (zero point added after rounding, as ONNX): dense<[5, 3, 5, 9, 5, 17, 5]> : tensor<7xi8>
// wrong (ties rounded away from zero): dense<[5, 4, 5, 10, 5, 19, 5]> : tensor<7xi8>
// wrong (rounded toward zero): dense<[5, 3, 5, 9, 5, 16, 5]> : tensor<7xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[3, -4, 3, 8, 3, 22, 3]> : tensor<7xi8>
!i8 = !quant.uniform<i8:f16, 0.5:3>
!i8_b = !quant.uniform<i8:f16, 1.0:5>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i8>, %source: tensor<7x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i8_b>, %b0: tensor<!i8_b>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8_b>, tensor<!i8_b>) -> tensor<!i8_b>
      "stablehlo.return"(%r0) : (tensor<!i8_b>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<7x!i8_b>
    "func.return"(%0) : (tensor<7x!i8_b>) -> ()
  }) {function_type = (tensor<7x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<7x!i8_b>, sym_name = "main"} : () -> ()
}

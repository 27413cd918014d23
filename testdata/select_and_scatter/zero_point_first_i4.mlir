// clause: quantize: the zero point is added before rounding, ties to even
// The zero point is odd and quotients end in .5: rounding before adding it, or away from zero, is off by
// one.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-1, -8, -8, 7, -8, 7, 7]> : tensor<7xi4>
// args: dense<[-8, 7, -8, 7, 7, -6, 4]> : tensor<7xi4>
// args: dense<1> : tensor<i4>
// expect: dense<[-9, -7, -7, -6, -7, -9, -7]> : tensor<7xi8>
// wrong (zero point added after rounding, as ONNX): dense<[-8, -7, -7, -5, -7, -9, -7]> : tensor<7xi8>
// wrong (ties rounded away from zero): dense<[-9, -7, -7, -6, -7, -10, -7]> : tensor<7xi8>
// wrong (rounded toward zero): dense<[-8, -7, -7, -5, -7, -8, -7]> : tensor<7xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[14, 1, 1, 28, 1, 13, 1]> : tensor<7xi8>
!i4 = !quant.uniform<i4:f32, 0.5:1>
!i8 = !quant.uniform<i8:f32, 1.0:-7>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i4>, %source: tensor<7x!i4>, %init_value: tensor<!i4>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i4>, %b0: tensor<!i4>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i4>, tensor<!i4>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i4>, tensor<7x!i4>, tensor<!i4>) -> tensor<7x!i8>
    "func.return"(%0) : (tensor<7x!i8>) -> ()
  }) {function_type = (tensor<7x!i4>, tensor<7x!i4>, tensor<!i4>) -> tensor<7x!i8>, sym_name = "main"} : () -> ()
}

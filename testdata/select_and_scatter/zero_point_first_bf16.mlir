// clause: quantize: the zero point is added before rounding, ties to even
// The zero point is odd and quotients end in .5: rounding before adding it, or away from zero, is off by
// one.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[15, -20, -2, -21, 18, -12, 12]> : tensor<7xi8>
// args: dense<[9, -2, 16, -13, -1, 5, 3]> : tensor<7xi8>
// args: dense<-1> : tensor<i8>
// expect: dense<[5, 1, 10, 1, -2, 1, 3]> : tensor<7xi8>
// wrong (zero point added after rounding, as ONNX): dense<[6, 1, 9, 1, -2, 1, 3]> : tensor<7xi8>
// wrong (ties rounded away from zero): dense<[6, 1, 10, 1, -2, 1, 3]> : tensor<7xi8>
// wrong (rounded toward zero): dense<[5, 1, 9, 1, -2, 1, 3]> : tensor<7xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[4, -1, 14, -1, -13, -1, 1]> : tensor<7xi8>
!i8 = !quant.uniform<i8:bf16, 0.5:-1>
!i8_b = !quant.uniform<i8:bf16, 1.0:1>
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

// clause: quantize: the zero point is added before rounding, ties to even
// The zero point is odd and quotients end in .5: rounding before adding it, or away from zero, is off by
// one.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-9, -4, -16, 10, -12, 14, 12]> : tensor<7xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[-4, -4, 6, 15]> : tensor<4xi8>
// wrong (zero point added after rounding, as ONNX): dense<[-5, -5, 7, 15]> : tensor<4xi8>
// wrong (ties rounded away from zero): dense<[-4, -4, 7, 16]> : tensor<4xi8>
// wrong (rounded toward zero): dense<[-5, -5, 6, 14]> : tensor<4xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[-22, -22, 0, 17]> : tensor<4xi8>
!i8 = !quant.uniform<i8:f16, 0.5:3>
!i8_b = !quant.uniform<i8:f16, 1.0:5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i8_b>, %b0: tensor<!i8_b>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8_b>, tensor<!i8_b>) -> tensor<!i8_b>
      "stablehlo.return"(%r0) : (tensor<!i8_b>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i8_b>
    "func.return"(%0) : (tensor<4x!i8_b>) -> ()
  }) {function_type = (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i8_b>, sym_name = "main"} : () -> ()
}

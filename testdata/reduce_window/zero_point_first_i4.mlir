// clause: quantize: the zero point is added before rounding, ties to even
// The zero point is odd and quotients end in .5: rounding before adding it, or away from zero, is off by
// one.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-3, -8, -4, 7, -8, 6, 7]> : tensor<7xi4>
// args: dense<1> : tensor<i4>
// expect: dense<[-14, -12, -6, -1]> : tensor<4xi8>
// wrong (zero point added after rounding, as ONNX): dense<[-13, -10, -6, -2]> : tensor<4xi8>
// wrong (ties rounded away from zero): dense<[-14, -12, -7, -2]> : tensor<4xi8>
// wrong (rounded toward zero): dense<[-13, -10, -5, -1]> : tensor<4xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[12, 17, 27, 36]> : tensor<4xi8>
!i4 = !quant.uniform<i4:f32, 0.5:1>
!i8 = !quant.uniform<i8:f32, 1.0:-7>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!i4>, %init: tensor<!i4>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i4>, tensor<!i4>) -> tensor<4x!i8>
    "func.return"(%0) : (tensor<4x!i8>) -> ()
  }) {function_type = (tensor<7x!i4>, tensor<!i4>) -> tensor<4x!i8>, sym_name = "main"} : () -> ()
}

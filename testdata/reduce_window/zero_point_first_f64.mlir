// clause: quantize: the zero point is added before rounding, ties to even
// The zero point is odd and quotients end in .5: rounding before adding it, or away from zero, is off by
// one.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[13, 8, 25, 18, 13, 6, 2]> : tensor<7xi16>
// args: dense<9> : tensor<i16>
// expect: dense<[-100, -89, -95, -105]> : tensor<4xi32>
// wrong (zero point added after rounding, as ONNX): dense<[-99, -89, -97, -107]> : tensor<4xi32>
// wrong (ties rounded away from zero): dense<[-100, -90, -97, -107]> : tensor<4xi32>
// wrong (rounded toward zero): dense<[-99, -88, -95, -105]> : tensor<4xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[342, 363, 349, 329]> : tensor<4xi32>
!i16 = !quant.uniform<i16:f64, 0.5:9>
!i32 = !quant.uniform<i32:f64, 1.0:-101>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!i16>, %init: tensor<!i16>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i16>, tensor<!i16>) -> tensor<4x!i32>
    "func.return"(%0) : (tensor<4x!i32>) -> ()
  }) {function_type = (tensor<7x!i16>, tensor<!i16>) -> tensor<4x!i32>, sym_name = "main"} : () -> ()
}

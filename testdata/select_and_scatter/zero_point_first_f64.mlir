// clause: quantize: the zero point is added before rounding, ties to even
// The zero point is odd and quotients end in .5: rounding before adding it, or away from zero, is off by
// one.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[13, 8, 25, 18, 13, 6, 2]> : tensor<7xi16>
// args: dense<[4, 1, 2, 16, 1, 12, 15]> : tensor<7xi16>
// args: dense<9> : tensor<i16>
// expect: dense<[-104, -101, -105, -105, -100, -98, -101]> : tensor<7xi32>
// wrong (zero point added after rounding, as ONNX): dense<[-103, -101, -105, -105, -99, -98, -101]> : tensor<7xi32>
// wrong (ties rounded away from zero): dense<[-104, -101, -106, -105, -100, -98, -101]> : tensor<7xi32>
// wrong (rounded toward zero): dense<[-103, -101, -104, -105, -99, -98, -101]> : tensor<7xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[114, 9, 331, 111, 122, 125, 9]> : tensor<7xi32>
!i16 = !quant.uniform<i16:f64, 0.5:9>
!i32 = !quant.uniform<i32:f64, 1.0:-101>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i16>, %source: tensor<7x!i16>, %init_value: tensor<!i16>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i16>, tensor<!i16>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i16>, tensor<7x!i16>, tensor<!i16>) -> tensor<7x!i32>
    "func.return"(%0) : (tensor<7x!i32>) -> ()
  }) {function_type = (tensor<7x!i16>, tensor<7x!i16>, tensor<!i16>) -> tensor<7x!i32>, sym_name = "main"} : () -> ()
}

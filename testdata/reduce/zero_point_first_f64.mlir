// clause: quantize: the zero point is added before rounding, ties to even
// The zero point is odd and quotients end in .5: rounding before adding it, or away from zero, is off by
// one.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[13, 8, 25, 18, 13, 6], [2, 4, 1, 2, 16, 1]]> : tensor<2x6xi16>
// args: dense<9> : tensor<i16>
// expect: dense<[-86, -115]> : tensor<2xi32>
// wrong (zero point added after rounding, as ONNX): dense<[-87, -115]> : tensor<2xi32>
// wrong (ties rounded away from zero): dense<[-88, -117]> : tensor<2xi32>
// wrong (rounded toward zero): dense<[-85, -113]> : tensor<2xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[698, 641]> : tensor<2xi32>
!i16 = !quant.uniform<i16:f64, 0.5:9>
!i32 = !quant.uniform<i32:f64, 1.0:-101>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i16>, %init: tensor<!i16>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i16>, tensor<!i16>) -> tensor<2x!i32>
    "func.return"(%0) : (tensor<2x!i32>) -> ()
  }) {function_type = (tensor<2x6x!i16>, tensor<!i16>) -> tensor<2x!i32>, sym_name = "main"} : () -> ()
}

// clause: dequantize: q - zero_point is exact (erratum E1)
// q - zero_point leaves the storage type's range; an implementation that wraps it there reads another
// number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[3738, -26292, 15389, -16580, 1283, 2524, -11787]> : tensor<7xi16>
// args: dense<[-2249, 14470, -27534, 8041, -29270, 24748, -5557]> : tensor<7xi16>
// args: dense<-32768> : tensor<i16>
// expect: dense<[30519, 0, 93281, 0, 0, 88225, 0]> : tensor<7xi32>
// wrong (zero point subtracted in the storage type, the literal text): dense<[0, 12221, 0, -15995, 0, 0, 19191]> : tensor<7xi32>
// wrong (converted without zero points; stored integers not converted to the body's type, as StableHLO's passes): dense<[-35017, -32768, -37791, -32768, -32768, -42847, -32768]> : tensor<7xi32>
!i16 = !quant.uniform<i16:f32, 0.25:-32768>
!i32 = !quant.uniform<i32:f32, 0.25>
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

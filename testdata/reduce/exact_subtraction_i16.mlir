// clause: dequantize: q - zero_point is exact (erratum E1)
// q - zero_point leaves the storage type's range; an implementation that wraps it there reads another
// number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[3738, -26292, 15389, -16580, 1283, 2524], [-11787, -2249, 14470, -27534, 8041, -29270]]> : tensor<2x6xi16>
// args: dense<-32768> : tensor<i16>
// expect: dense<[176670, 148279]> : tensor<2xi32>
// wrong (zero point subtracted in the storage type, the literal text): dense<[-85474, 17207]> : tensor<2xi32>
// wrong (converted without zero points; stored integers not converted to the body's type, as StableHLO's passes): dense<[-52706, -81097]> : tensor<2xi32>
!i16 = !quant.uniform<i16:f32, 0.25:-32768>
!i32 = !quant.uniform<i32:f32, 0.25>
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

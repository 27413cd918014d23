// clause: dequantize: q - zero_point is exact (erratum E1)
// q - zero_point leaves the storage type's range; an implementation that wraps it there reads another
// number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[4, 0, 6, -8, -5, 3], [5, -5, 5, 2, -4, -8]]> : tensor<2x6xi4>
// args: dense<-8> : tensor<i4>
// expect: dense<[48, 43]> : tensor<2xi8>
// wrong (zero point subtracted in the storage type, the literal text): dense<[-16, -5]> : tensor<2xi8>
// wrong (converted without zero points; stored integers not converted to the body's type, as StableHLO's passes): dense<[-8, -13]> : tensor<2xi8>
!i4 = !quant.uniform<i4:f32, 0.5:-8>
!i8 = !quant.uniform<i8:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i4>, %init: tensor<!i4>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i4>, tensor<!i4>) -> tensor<2x!i8>
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<2x6x!i4>, tensor<!i4>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}

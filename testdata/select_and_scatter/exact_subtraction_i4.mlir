// clause: dequantize: q - zero_point is exact (erratum E1)
// q - zero_point leaves the storage type's range; an implementation that wraps it there reads another
// number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[4, 0, 6, -8, -5, 3, 5]> : tensor<7xi4>
// args: dense<[-5, 5, 2, -4, -8, -7, 2]> : tensor<7xi4>
// args: dense<-8> : tensor<i4>
// expect: dense<[3, 0, 27, 0, 0, 0, 11]> : tensor<7xi8>
// wrong (zero point subtracted in the storage type, the literal text): dense<[3, 0, -3, -6, 5, 0, -6]> : tensor<7xi8>
// wrong (converted without zero points; stored integers not converted to the body's type, as StableHLO's passes): dense<[-13, -8, -5, -8, -8, -16, -13]> : tensor<7xi8>
!i4 = !quant.uniform<i4:f32, 0.5:-8>
!i8 = !quant.uniform<i8:f32, 0.5>
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

// clause: dequantize: q - zero_point is exact (erratum E1)
// q - zero_point leaves the storage type's range; an implementation that wraps it there reads another
// number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-2, -1, -2, -2, 0, 0, -1]> : tensor<7xi2>
// args: dense<[0, -1, -2, -1, -1, -1, -1]> : tensor<7xi2>
// args: dense<-2> : tensor<i2>
// expect: dense<[0, 3, 0, 0, 3, 1, 0]> : tensor<7xi8>
// wrong (zero point subtracted in the storage type, the literal text): dense<[0, -1, 1, 1, 0, 0, 2]> : tensor<7xi8>
// wrong (converted without zero points; stored integers not converted to the body's type, as StableHLO's passes): dense<[-2, -5, -2, -2, -5, -3, -2]> : tensor<7xi8>
!i2 = !quant.uniform<i2:f32, 0.5:-2>
!i8 = !quant.uniform<i8:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i2>, %source: tensor<7x!i2>, %init_value: tensor<!i2>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i2>, %b0: tensor<!i2>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i2>, tensor<!i2>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i2>, tensor<7x!i2>, tensor<!i2>) -> tensor<7x!i8>
    "func.return"(%0) : (tensor<7x!i8>) -> ()
  }) {function_type = (tensor<7x!i2>, tensor<7x!i2>, tensor<!i2>) -> tensor<7x!i8>, sym_name = "main"} : () -> ()
}

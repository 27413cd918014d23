// clause: dequantize: q - zero_point is exact (erratum E1)
// q - zero_point leaves the storage type's range; an implementation that wraps it there reads another
// number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-2, -1, -2, -2, 0, 0, -1]> : tensor<7xi2>
// args: dense<-2> : tensor<i2>
// expect: dense<[1, 1, 4, 3]> : tensor<4xi8>
// wrong (zero point subtracted in the storage type, the literal text): dense<[1, 1, -4, -1]> : tensor<4xi8>
// wrong (converted without zero points; stored integers not converted to the body's type, as StableHLO's passes): dense<[-7, -7, -4, -5]> : tensor<4xi8>
!i2 = !quant.uniform<i2:f32, 0.5:-2>
!i8 = !quant.uniform<i8:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!i2>, %init: tensor<!i2>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i2>, tensor<!i2>) -> tensor<4x!i8>
    "func.return"(%0) : (tensor<4x!i8>) -> ()
  }) {function_type = (tensor<7x!i2>, tensor<!i2>) -> tensor<4x!i8>, sym_name = "main"} : () -> ()
}

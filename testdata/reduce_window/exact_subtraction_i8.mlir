// clause: dequantize: q - zero_point is exact (erratum E1)
// q - zero_point leaves the storage type's range; an implementation that wraps it there reads another
// number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-125, 78, -89, 96, 71, 30, -110]> : tensor<7xi8>
// args: dense<-128> : tensor<i8>
// expect: dense<[209, 469, 581, 176]> : tensor<4xi32>
// wrong (zero point subtracted in the storage type, the literal text): dense<[-47, -43, -187, -80]> : tensor<4xi32>
// wrong (converted without zero points; stored integers not converted to the body's type, as StableHLO's passes): dense<[-303, -43, 69, -336]> : tensor<4xi32>
!i8 = !quant.uniform<i8:f32, 0.5:-128>
!i32 = !quant.uniform<i32:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i32>
    "func.return"(%0) : (tensor<4x!i32>) -> ()
  }) {function_type = (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i32>, sym_name = "main"} : () -> ()
}

// clause: dequantize: q - zero_point is exact (erratum E1)
// q - zero_point leaves the storage type's range; an implementation that wraps it there reads another
// number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[3738, -26292, 15389, -16580, 1283, 2524, -11787]> : tensor<7xi16>
// args: dense<-32768> : tensor<i16>
// expect: dense<[42982, 70821, 85531, 56273]> : tensor<4xi32>
// wrong (zero point subtracted in the storage type, the literal text): dense<[-22554, 5285, -45541, -9263]> : tensor<4xi32>
// wrong (converted without zero points; stored integers not converted to the body's type, as StableHLO's passes): dense<[-88090, -60251, -45541, -74799]> : tensor<4xi32>
!i16 = !quant.uniform<i16:f32, 0.25:-32768>
!i32 = !quant.uniform<i32:f32, 0.25>
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

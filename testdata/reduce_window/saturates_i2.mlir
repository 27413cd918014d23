// clause: quantize: saturate at the storage bounds
// Sums leave the storage type; wrapping, as integers do, gives another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[1, 1, -2, 1, -2, -2, -2]> : tensor<7xi2>
// args: dense<0> : tensor<i2>
// expect: dense<[1, 0, -2, -2]> : tensor<4xi2>
// permitted (balanced): dense<[1, 0, -1, -2]> : tensor<4xi2>
// wrong (wrapped instead of saturated): dense<[-2, 0, 1, 0]> : tensor<4xi2>
!i2 = !quant.uniform<i2:f32, 1.0>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!i2>, %init: tensor<!i2>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i2>, %b0: tensor<!i2>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i2>, tensor<!i2>) -> tensor<!i2>
      "stablehlo.return"(%r0) : (tensor<!i2>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i2>, tensor<!i2>) -> tensor<4x!i2>
    "func.return"(%0) : (tensor<4x!i2>) -> ()
  }) {function_type = (tensor<7x!i2>, tensor<!i2>) -> tensor<4x!i2>, sym_name = "main"} : () -> ()
}

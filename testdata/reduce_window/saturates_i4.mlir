// clause: quantize: saturate at the storage bounds
// Sums leave the storage type; wrapping, as integers do, gives another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-7, 5, -7, -7, 5, -8, -8]> : tensor<7xi4>
// args: dense<-1> : tensor<i4>
// expect: dense<[-1, -7, -8, -8]> : tensor<4xi4>
// permitted (balanced): dense<[-1, -2, -8, -8]> : tensor<4xi4>
// wrong (wrapped instead of saturated): dense<[-1, -7, -8, 1]> : tensor<4xi4>
!i4 = !quant.uniform<i4:f32, 0.5:-1>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!i4>, %init: tensor<!i4>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i4>, %b0: tensor<!i4>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i4>, tensor<!i4>) -> tensor<!i4>
      "stablehlo.return"(%r0) : (tensor<!i4>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i4>, tensor<!i4>) -> tensor<4x!i4>
    "func.return"(%0) : (tensor<4x!i4>) -> ()
  }) {function_type = (tensor<7x!i4>, tensor<!i4>) -> tensor<4x!i4>, sym_name = "main"} : () -> ()
}

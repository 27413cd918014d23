// clause: quantize: saturate at the storage bounds
// Sums leave the storage type; wrapping, as integers do, gives another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[1, 1, -2, 1, -2, -2, -2]> : tensor<7xi2>
// args: dense<[1, 1, -2, -2, -2, -2, 1]> : tensor<7xi2>
// args: dense<0> : tensor<i2>
// expect: dense<[1, -2, 0, -2, -2, 1, 0]> : tensor<7xi2>
// wrong (wrapped instead of saturated): dense<[-2, -2, 0, 0, -2, 1, 0]> : tensor<7xi2>
!i2 = !quant.uniform<i2:f32, 1.0>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i2>, %source: tensor<7x!i2>, %init_value: tensor<!i2>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i2>, %b0: tensor<!i2>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i2>, tensor<!i2>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i2>, %b0: tensor<!i2>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i2>, tensor<!i2>) -> tensor<!i2>
      "stablehlo.return"(%r0) : (tensor<!i2>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i2>, tensor<7x!i2>, tensor<!i2>) -> tensor<7x!i2>
    "func.return"(%0) : (tensor<7x!i2>) -> ()
  }) {function_type = (tensor<7x!i2>, tensor<7x!i2>, tensor<!i2>) -> tensor<7x!i2>, sym_name = "main"} : () -> ()
}

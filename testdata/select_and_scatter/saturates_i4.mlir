// clause: quantize: saturate at the storage bounds
// Sums leave the storage type; wrapping, as integers do, gives another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-7, 5, -7, -7, 5, -8, -8]> : tensor<7xi4>
// args: dense<[5, 7, -6, -8, 5, -7, 6]> : tensor<7xi4>
// args: dense<-1> : tensor<i4>
// expect: dense<[-1, 2, -1, -1, -8, 6, -1]> : tensor<7xi4>
// permitted (balanced): dense<[-1, 7, -1, -1, -8, 6, -1]> : tensor<7xi4>
// wrong (wrapped instead of saturated): dense<[-1, -8, -1, -1, -8, 6, -1]> : tensor<7xi4>
!i4 = !quant.uniform<i4:f32, 0.5:-1>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i4>, %source: tensor<7x!i4>, %init_value: tensor<!i4>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i4>, %b0: tensor<!i4>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i4>, tensor<!i4>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i4>, %b0: tensor<!i4>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i4>, tensor<!i4>) -> tensor<!i4>
      "stablehlo.return"(%r0) : (tensor<!i4>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i4>, tensor<7x!i4>, tensor<!i4>) -> tensor<7x!i4>
    "func.return"(%0) : (tensor<7x!i4>) -> ()
  }) {function_type = (tensor<7x!i4>, tensor<7x!i4>, tensor<!i4>) -> tensor<7x!i4>, sym_name = "main"} : () -> ()
}

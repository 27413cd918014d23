// clause: quantize: saturate at the storage bounds
// Sums leave the storage type; wrapping, as integers do, gives another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[13, 0, 13, 13, 13, 1, 14]> : tensor<7xui4>
// args: dense<[15, 15, 14, 14, 15, 2, 0]> : tensor<7xui4>
// args: dense<7> : tensor<ui4>
// expect: dense<[15, 7, 15, 15, 7, 7, 0]> : tensor<7xui4>
// wrong (wrapped instead of saturated): dense<[7, 7, 5, 15, 7, 7, 11]> : tensor<7xui4>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[7, 0, 0, 7, 7, 0, 7]> : tensor<7xui4>
!ui4 = !quant.uniform<ui4:f32, 0.5:7>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!ui4>, %source: tensor<7x!ui4>, %init_value: tensor<!ui4>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!ui4>, %b0: tensor<!ui4>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!ui4>, tensor<!ui4>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!ui4>, %b0: tensor<!ui4>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!ui4>, tensor<!ui4>) -> tensor<!ui4>
      "stablehlo.return"(%r0) : (tensor<!ui4>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!ui4>, tensor<7x!ui4>, tensor<!ui4>) -> tensor<7x!ui4>
    "func.return"(%0) : (tensor<7x!ui4>) -> ()
  }) {function_type = (tensor<7x!ui4>, tensor<7x!ui4>, tensor<!ui4>) -> tensor<7x!ui4>, sym_name = "main"} : () -> ()
}

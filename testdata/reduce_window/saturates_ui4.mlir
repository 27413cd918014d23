// clause: quantize: saturate at the storage bounds
// Sums leave the storage type; wrapping, as integers do, gives another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[1, 1, 13, 13, 13, 14, 0]> : tensor<7xui4>
// args: dense<7> : tensor<ui4>
// expect: dense<[0, 13, 15, 7]> : tensor<4xui4>
// permitted (balanced): dense<[0, 9, 15, 7]> : tensor<4xui4>
// wrong (wrapped instead of saturated): dense<[11, 13, 10, 7]> : tensor<4xui4>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[0, 0, 0, 0]> : tensor<4xui4>
!ui4 = !quant.uniform<ui4:f32, 0.5:7>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!ui4>, %init: tensor<!ui4>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!ui4>, %b0: tensor<!ui4>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!ui4>, tensor<!ui4>) -> tensor<!ui4>
      "stablehlo.return"(%r0) : (tensor<!ui4>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!ui4>, tensor<!ui4>) -> tensor<4x!ui4>
    "func.return"(%0) : (tensor<4x!ui4>) -> ()
  }) {function_type = (tensor<7x!ui4>, tensor<!ui4>) -> tensor<4x!ui4>, sym_name = "main"} : () -> ()
}

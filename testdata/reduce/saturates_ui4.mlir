// clause: quantize: saturate at the storage bounds
// Sums leave the storage type; wrapping, as integers do, gives another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[13, 0, 13, 13, 13, 1], [14, 15, 15, 14, 14, 15]]> : tensor<2x6xui4>
// args: dense<7> : tensor<ui4>
// expect: dense<[9, 15]> : tensor<2xui4>
// permitted (balanced): dense<[14, 15]> : tensor<2xui4>
// wrong (wrapped instead of saturated): dense<[2, 4]> : tensor<2xui4>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[0, 0]> : tensor<2xui4>
!ui4 = !quant.uniform<ui4:f32, 0.5:7>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!ui4>, %init: tensor<!ui4>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!ui4>, %b0: tensor<!ui4>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!ui4>, tensor<!ui4>) -> tensor<!ui4>
      "stablehlo.return"(%r0) : (tensor<!ui4>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!ui4>, tensor<!ui4>) -> tensor<2x!ui4>
    "func.return"(%0) : (tensor<2x!ui4>) -> ()
  }) {function_type = (tensor<2x6x!ui4>, tensor<!ui4>) -> tensor<2x!ui4>, sym_name = "main"} : () -> ()
}

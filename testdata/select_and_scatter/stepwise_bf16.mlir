// clause: floating-point sums round at every step
// Accumulated wider and rounded once, as XLA's CPU does for bf16, other digits come out.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-2528.0, -1056.0, 652.0, 516.0, -556.0, 98.0, -1416.0]> : tensor<7xbf16>
// args: dense<[2848.0, 916.0, -2.24e+03, 147.0, 2944.0, -2368.0, 1536.0]> : tensor<7xbf16>
// args: dense<0.0> : tensor<bf16>
// expect: dense<[0.0, 2848.0, -1184.0, 2944.0, 0.0, -832.0, 0.0]> : tensor<7xbf16>
// wrong (accumulated exactly and stored once): dense<[0.0, 2848.0, -1176.0, 2944.0, 0.0, -832.0, 0.0]> : tensor<7xbf16>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7xbf16>, %source: tensor<7xbf16>, %init_value: tensor<bf16>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<bf16>, %b0: tensor<bf16>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<bf16>, %b0: tensor<bf16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      "stablehlo.return"(%r0) : (tensor<bf16>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xbf16>, tensor<7xbf16>, tensor<bf16>) -> tensor<7xbf16>
    "func.return"(%0) : (tensor<7xbf16>) -> ()
  }) {function_type = (tensor<7xbf16>, tensor<7xbf16>, tensor<bf16>) -> tensor<7xbf16>, sym_name = "main"} : () -> ()
}

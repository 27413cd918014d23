// clause: floating-point sums round at every step
// Accumulated wider and rounded once, as XLA's CPU does for bf16, other digits come out.
// derivation: by the oracle in spec/, arguments drawn so that the mistakes show
// args: dense<[[-1512.0, -2864.0, -728.0, -928.0, 816.0, 2992.0], [-716.0, 2.24e+03, -65.0, -1992.0, 7.8e+02, 1616.0]]> : tensor<2x6xbf16>
// args: dense<0.0> : tensor<bf16>
// expect: dense<[-2256.0, 1856.0]> : tensor<2xbf16>
// permitted (balanced): dense<[-2208.0, 1856.0]> : tensor<2xbf16>
// wrong (accumulated exactly and stored once): dense<[-2224.0, 1864.0]> : tensor<2xbf16>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6xbf16>, %init: tensor<bf16>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<bf16>, %b0: tensor<bf16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      "stablehlo.return"(%r0) : (tensor<bf16>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6xbf16>, tensor<bf16>) -> tensor<2xbf16>
    "func.return"(%0) : (tensor<2xbf16>) -> ()
  }) {function_type = (tensor<2x6xbf16>, tensor<bf16>) -> tensor<2xbf16>, sym_name = "main"} : () -> ()
}

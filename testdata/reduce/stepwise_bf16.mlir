// clause: floating-point sums round at every step
// Accumulated wider and rounded once, as XLA's CPU does for bf16, other digits come out.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[-1248.0, 2.96e+03, 111.5, -2736.0, -69.0, 2688.0], [-812.0, 1648.0, 2768.0, -2864.0, -592.0, 832.0]]> : tensor<2x6xbf16>
// args: dense<0.0> : tensor<bf16>
// expect: dense<[1712.0, 976.0]> : tensor<2xbf16>
// wrong (accumulated exactly and stored once): dense<[1704.0, 9.8e+02]> : tensor<2xbf16>
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

// clause: floating-point sums round at every step
// Accumulated wider and rounded once, as XLA's CPU does for bf16, other digits come out.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[-2328.0, 1398.0, -1253.0, 92.8, 965.5, 1868.0], [1717.0, 406.0, 246.9, 668.0, -1876.0, 2838.0]]> : tensor<2x6xf16>
// args: dense<0.0> : tensor<f16>
// expect: dense<[742.0, 4.0e+03]> : tensor<2xf16>
// wrong (accumulated exactly and stored once): dense<[743.5, 4.0e+03]> : tensor<2xf16>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6xf16>, %init: tensor<f16>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<f16>, %b0: tensor<f16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f16>, tensor<f16>) -> tensor<f16>
      "stablehlo.return"(%r0) : (tensor<f16>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6xf16>, tensor<f16>) -> tensor<2xf16>
    "func.return"(%0) : (tensor<2xf16>) -> ()
  }) {function_type = (tensor<2x6xf16>, tensor<f16>) -> tensor<2xf16>, sym_name = "main"} : () -> ()
}

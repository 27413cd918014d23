// clause: floating-point sums round at every step
// Accumulated wider and rounded once, as XLA's CPU does for bf16, other digits come out.
// derivation: by the oracle in spec/, arguments drawn so that the mistakes show
// args: dense<[[-833.0, -879.5, 1435.0, -1433.0, -2522.0, 962.0], [498.8, 1832.0, 851.0, 1997.0, -2268.0, -363.5]]> : tensor<2x6xf16>
// args: dense<0.0> : tensor<f16>
// expect: dense<[-3.27e+03, 2544.0]> : tensor<2xf16>
// permitted (balanced): dense<[-3272.0, 2548.0]> : tensor<2xf16>
// wrong (accumulated exactly and stored once): dense<[-3.27e+03, 2548.0]> : tensor<2xf16>
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

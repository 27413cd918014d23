// clause: floating-point sums round at every step
// Accumulated wider and rounded once, as XLA's CPU does for bf16, other digits come out.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-2256.0, -2208.0, 43.0, 2928.0, 1656.0, -2944.0, 1.36e+03]> : tensor<7xbf16>
// args: dense<0.0> : tensor<bf16>
// expect: dense<[-4.48e+03, 768.0, 1632.0, -1584.0]> : tensor<4xbf16>
// permitted (balanced): dense<[-4.48e+03, 768.0, 1.64e+03, -1584.0]> : tensor<4xbf16>
// wrong (accumulated exactly and stored once): dense<[-4.48e+03, 764.0, 1.64e+03, -1584.0]> : tensor<4xbf16>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7xbf16>, %init: tensor<bf16>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<bf16>, %b0: tensor<bf16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      "stablehlo.return"(%r0) : (tensor<bf16>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xbf16>, tensor<bf16>) -> tensor<4xbf16>
    "func.return"(%0) : (tensor<4xbf16>) -> ()
  }) {function_type = (tensor<7xbf16>, tensor<bf16>) -> tensor<4xbf16>, sym_name = "main"} : () -> ()
}

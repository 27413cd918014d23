// clause: floating-point sums round at every step
// Accumulated wider and rounded once, as XLA's CPU does for bf16, other digits come out.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-1003.5, 1688.0, -1018.5, 697.0, 366.8, -1398.0, 274.2]> : tensor<7xf16>
// args: dense<0.0> : tensor<f16>
// expect: dense<[684.5, 1366.0, -334.0, -1124.0]> : tensor<4xf16>
// wrong (accumulated exactly and stored once): dense<[684.5, 1366.0, -334.2, -1124.0]> : tensor<4xf16>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7xf16>, %init: tensor<f16>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<f16>, %b0: tensor<f16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f16>, tensor<f16>) -> tensor<f16>
      "stablehlo.return"(%r0) : (tensor<f16>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xf16>, tensor<f16>) -> tensor<4xf16>
    "func.return"(%0) : (tensor<4xf16>) -> ()
  }) {function_type = (tensor<7xf16>, tensor<f16>) -> tensor<4xf16>, sym_name = "main"} : () -> ()
}

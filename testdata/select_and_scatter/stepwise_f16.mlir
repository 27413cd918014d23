// clause: floating-point sums round at every step
// Accumulated wider and rounded once, as XLA's CPU does for bf16, other digits come out.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[968.5, 856.0, 1282.0, 133.0, 1986.0, 736.5, -157.5]> : tensor<7xf16>
// args: dense<[-1943.0, 125.06, 837.0, -2988.0, -12.33, 2.82e+03, -2746.0]> : tensor<7xf16>
// args: dense<0.0> : tensor<f16>
// expect: dense<[-1943.0, 0.0, 962.0, 0.0, -1.8e+02, -2746.0, 0.0]> : tensor<7xf16>
// wrong (accumulated exactly and stored once): dense<[-1943.0, 0.0, 962.0, 0.0, -180.4, -2746.0, 0.0]> : tensor<7xf16>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7xf16>, %source: tensor<7xf16>, %init_value: tensor<f16>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<f16>, %b0: tensor<f16>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<f16>, tensor<f16>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<f16>, %b0: tensor<f16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f16>, tensor<f16>) -> tensor<f16>
      "stablehlo.return"(%r0) : (tensor<f16>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xf16>, tensor<7xf16>, tensor<f16>) -> tensor<7xf16>
    "func.return"(%0) : (tensor<7xf16>) -> ()
  }) {function_type = (tensor<7xf16>, tensor<7xf16>, tensor<f16>) -> tensor<7xf16>, sym_name = "main"} : () -> ()
}

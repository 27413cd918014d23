// clause: reduce: booleans (erratum E6)
// A boolean reduction, as jnp.any is lowered.
// derivation: by hand: one true; none.
// args: dense<[[false, true, false], [false, false, false]]> : tensor<2x3xi1>
// args: dense<false> : tensor<i1>
// expect: dense<[true, false]> : tensor<2xi1>
// wrong (all): dense<[false, false]> : tensor<2xi1>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x3xi1>, %init: tensor<i1>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<i1>, %b0: tensor<i1>):
      %r0 = "stablehlo.or"(%a0, %b0) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%r0) : (tensor<i1>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x3xi1>, tensor<i1>) -> tensor<2xi1>
    "func.return"(%0) : (tensor<2xi1>) -> ()
  }) {function_type = (tensor<2x3xi1>, tensor<i1>) -> tensor<2xi1>, sym_name = "main"} : () -> ()
}

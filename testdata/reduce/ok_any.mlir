// jnp.any: a boolean reduction (erratum E6).
// expect: no violation (strict)
// expect: no violation (mlir)
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x3xi1>, %init: tensor<i1>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a: tensor<i1>, %b: tensor<i1>):
      %r0 = "stablehlo.or"(%a, %b) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%r0) : (tensor<i1>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x3xi1>, tensor<i1>) -> tensor<2xi1>
    "func.return"(%0) : (tensor<2xi1>) -> ()
  }) {function_type = (tensor<2x3xi1>, tensor<i1>) -> tensor<2xi1>, sym_name = "main"} : () -> ()
}

// clause: or of plain integers and booleans
// Widened before the first operation; unsigned ones are never negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[true, false, true, false, false], [true, false, true, false, false]]> : tensor<2x5xi1>
// args: dense<true> : tensor<i1>
// expect: dense<[true, true]> : tensor<2xi1>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x5xi1>, %init: tensor<i1>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<i1>, %b0: tensor<i1>):
      %r0 = "stablehlo.or"(%a0, %b0) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%r0) : (tensor<i1>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xi1>, tensor<i1>) -> tensor<2xi1>
    "func.return"(%0) : (tensor<2xi1>) -> ()
  }) {function_type = (tensor<2x5xi1>, tensor<i1>) -> tensor<2xi1>, sym_name = "main"} : () -> ()
}

// clause: or of plain integers and booleans
// Widened before the first operation; unsigned ones are never negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[5, -3, 0, -1, -8], [3, -5, 7, -3, 3]]> : tensor<2x5xi4>
// args: dense<0> : tensor<i4>
// expect: dense<[-1, -1]> : tensor<2xi4>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x5xi4>, %init: tensor<i4>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<i4>, %b0: tensor<i4>):
      %r0 = "stablehlo.or"(%a0, %b0) : (tensor<i4>, tensor<i4>) -> tensor<i4>
      "stablehlo.return"(%r0) : (tensor<i4>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xi4>, tensor<i4>) -> tensor<2xi4>
    "func.return"(%0) : (tensor<2xi4>) -> ()
  }) {function_type = (tensor<2x5xi4>, tensor<i4>) -> tensor<2xi4>, sym_name = "main"} : () -> ()
}

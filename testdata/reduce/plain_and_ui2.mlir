// clause: and of plain integers and booleans
// Widened before the first operation; unsigned ones are never negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[0, 0, 0, 2, 2], [0, 3, 1, 2, 1]]> : tensor<2x5xui2>
// args: dense<1> : tensor<ui2>
// expect: dense<[0, 0]> : tensor<2xui2>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x5xui2>, %init: tensor<ui2>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<ui2>, %b0: tensor<ui2>):
      %r0 = "stablehlo.and"(%a0, %b0) : (tensor<ui2>, tensor<ui2>) -> tensor<ui2>
      "stablehlo.return"(%r0) : (tensor<ui2>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xui2>, tensor<ui2>) -> tensor<2xui2>
    "func.return"(%0) : (tensor<2xui2>) -> ()
  }) {function_type = (tensor<2x5xui2>, tensor<ui2>) -> tensor<2xui2>, sym_name = "main"} : () -> ()
}

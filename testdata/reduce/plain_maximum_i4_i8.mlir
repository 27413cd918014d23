// clause: maximum of plain integers and booleans
// Widened before the first operation; unsigned ones are never negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[0, -6, -6, -3, -4], [3, -1, 0, -1, -8]]> : tensor<2x5xi4>
// args: dense<7> : tensor<i4>
// expect: dense<[7, 7]> : tensor<2xi8>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x5xi4>, %init: tensor<i4>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<i8>, %b0: tensor<i8>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<i8>, tensor<i8>) -> tensor<i8>
      "stablehlo.return"(%r0) : (tensor<i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xi4>, tensor<i4>) -> tensor<2xi8>
    "func.return"(%0) : (tensor<2xi8>) -> ()
  }) {function_type = (tensor<2x5xi4>, tensor<i4>) -> tensor<2xi8>, sym_name = "main"} : () -> ()
}

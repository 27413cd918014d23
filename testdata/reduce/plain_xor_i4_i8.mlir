// clause: xor of plain integers and booleans
// Widened before the first operation; unsigned ones are never negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[4, 1, -6, 4, 4], [5, -4, 6, 5, -5]]> : tensor<2x5xi4>
// args: dense<-4> : tensor<i4>
// expect: dense<[3, -3]> : tensor<2xi8>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x5xi4>, %init: tensor<i4>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<i8>, %b0: tensor<i8>):
      %r0 = "stablehlo.xor"(%a0, %b0) : (tensor<i8>, tensor<i8>) -> tensor<i8>
      "stablehlo.return"(%r0) : (tensor<i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xi4>, tensor<i4>) -> tensor<2xi8>
    "func.return"(%0) : (tensor<2xi8>) -> ()
  }) {function_type = (tensor<2x5xi4>, tensor<i4>) -> tensor<2xi8>, sym_name = "main"} : () -> ()
}

// clause: multiply of plain integers and booleans
// Widened before the first operation; unsigned ones are never negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[99, -105, -57, -3, 117], [27, 41, 83, 29, 39]]> : tensor<2x5xi8>
// args: dense<111> : tensor<i8>
// expect: dense<[-1610140435, -1350069267]> : tensor<2xi32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x5xi8>, %init: tensor<i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.multiply"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xi8>, tensor<i8>) -> tensor<2xi32>
    "func.return"(%0) : (tensor<2xi32>) -> ()
  }) {function_type = (tensor<2x5xi8>, tensor<i8>) -> tensor<2xi32>, sym_name = "main"} : () -> ()
}

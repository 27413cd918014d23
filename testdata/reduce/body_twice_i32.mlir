// clause: the body may be any function; each of its ops rounds
// It is neither commutative nor associative, or it is not what it looks like.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[4, 2, -5, -5, -4], [3, -2, 2, 0, -2]]> : tensor<2x5xi32>
// args: dense<5> : tensor<i32>
// expect: dense<[252, 236]> : tensor<2xi32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x5xi32>, %init: tensor<i32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %s = "stablehlo.add"(%r, %r) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%s) : (tensor<i32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xi32>, tensor<i32>) -> tensor<2xi32>
    "func.return"(%0) : (tensor<2xi32>) -> ()
  }) {function_type = (tensor<2x5xi32>, tensor<i32>) -> tensor<2xi32>, sym_name = "main"} : () -> ()
}

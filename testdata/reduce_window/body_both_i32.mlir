// clause: the body may be any function; each of its ops rounds
// It is neither commutative nor associative, or it is not what it looks like.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[-1, -4, -3, 0, -1, -3]> : tensor<6xi32>
// args: dense<4> : tensor<i32>
// expect: dense<[-4, -3, 0, 0]> : tensor<4xi32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<6xi32>, %init: tensor<i32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r = "stablehlo.maximum"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %s = "stablehlo.minimum"(%r, %a0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %t = "stablehlo.add"(%s, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%t) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 3>} : (tensor<6xi32>, tensor<i32>) -> tensor<4xi32>
    "func.return"(%0) : (tensor<4xi32>) -> ()
  }) {function_type = (tensor<6xi32>, tensor<i32>) -> tensor<4xi32>, sym_name = "main"} : () -> ()
}

// clause: the body may be any function; each of its ops rounds
// It is neither commutative nor associative, or it is not what it looks like.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[0, 3, -2, -3, 0, 2]> : tensor<6xi32>
// args: dense<2> : tensor<i32>
// expect: dense<[3, 0, -3, 1]> : tensor<4xi32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<6xi32>, %init: tensor<i32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r = "stablehlo.add"(%b0, %a0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 3>} : (tensor<6xi32>, tensor<i32>) -> tensor<4xi32>
    "func.return"(%0) : (tensor<4xi32>) -> ()
  }) {function_type = (tensor<6xi32>, tensor<i32>) -> tensor<4xi32>, sym_name = "main"} : () -> ()
}

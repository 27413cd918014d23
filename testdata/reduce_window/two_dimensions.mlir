// clause: reduce_window: a window's elements in lexicographic order
// Affine maps compose to another map in another order, and to the same in every tree.
// derivation: by hand: (2,1) (3,0) (1,5) (2,2) is (12,18); (3,0) (1,2) (2,2) (3,1) is (3,0), (3,2), (6,6),
// (18,19).
// args: dense<[[2, 3, 1], [1, 2, 3]]> : tensor<2x3xi32>
// args: dense<[[1, 0, 2], [5, 2, 1]]> : tensor<2x3xi32>
// args: dense<1> : tensor<i32>
// args: dense<0> : tensor<i32>
// expect: dense<[[12, 18]]> : tensor<1x2xi32>
// expect: dense<[[18, 19]]> : tensor<1x2xi32>
// wrong (elements in descending order): dense<[[12, 18]]> : tensor<1x2xi32>; dense<[[43, 18]]> : tensor<1x2xi32>
// wrong (column-major): dense<[[12, 38]]> : tensor<1x2xi32>; dense<[[18, 25]]> : tensor<1x2xi32>
module {
  "func.func"() ({
  ^bb0(%input0: tensor<2x3xi32>, %input1: tensor<2x3xi32>, %init0: tensor<i32>, %init1: tensor<i32>):
    %0:2 = "stablehlo.reduce_window"(%input0, %input1, %init0, %init1) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>, %b0: tensor<i32>, %b1: tensor<i32>):
      %s = "stablehlo.multiply"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %t = "stablehlo.multiply"(%a1, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %u = "stablehlo.add"(%t, %b1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%s, %u) : (tensor<i32>, tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 2, 2>} : (tensor<2x3xi32>, tensor<2x3xi32>, tensor<i32>, tensor<i32>) -> (tensor<1x2xi32>, tensor<1x2xi32>)
    "func.return"(%0#0, %0#1) : (tensor<1x2xi32>, tensor<1x2xi32>) -> ()
  }) {function_type = (tensor<2x3xi32>, tensor<2x3xi32>, tensor<i32>, tensor<i32>) -> (tensor<1x2xi32>, tensor<1x2xi32>), sym_name = "main"} : () -> ()
}

// clause: exec(schedule): elements in ascending lexicographic order of their indices
// Affine maps compose to another map in another order, and to the same in every tree.
// derivation: by hand: (2,1) (3,0) (1,5) (2,2): (2,1), (6,3), (6,8), (12,18).
// args: dense<[[2, 3], [1, 2]]> : tensor<2x2xi32>
// args: dense<[[1, 0], [5, 2]]> : tensor<2x2xi32>
// args: dense<1> : tensor<i32>
// args: dense<0> : tensor<i32>
// expect: dense<12> : tensor<i32>
// expect: dense<18> : tensor<i32>
// wrong (elements in descending order): dense<12> : tensor<i32>; dense<43> : tensor<i32>
// wrong (column-major): dense<12> : tensor<i32>; dense<38> : tensor<i32>
module {
  "func.func"() ({
  ^bb0(%input0: tensor<2x2xi32>, %input1: tensor<2x2xi32>, %init0: tensor<i32>, %init1: tensor<i32>):
    %0:2 = "stablehlo.reduce"(%input0, %input1, %init0, %init1) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>, %b0: tensor<i32>, %b1: tensor<i32>):
      %s = "stablehlo.multiply"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %t = "stablehlo.multiply"(%a1, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %u = "stablehlo.add"(%t, %b1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%s, %u) : (tensor<i32>, tensor<i32>) -> ()
    }) {dimensions = array<i64: 0, 1>} : (tensor<2x2xi32>, tensor<2x2xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    "func.return"(%0#0, %0#1) : (tensor<i32>, tensor<i32>) -> ()
  }) {function_type = (tensor<2x2xi32>, tensor<2x2xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>), sym_name = "main"} : () -> ()
}

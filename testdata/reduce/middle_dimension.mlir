// clause: reduce: dimensions may be any
// The dimension in the middle; results keep the order of the others.
// derivation: by hand: 1+3, 2+4; 5+7, 6+8.
// args: dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi32>
// args: dense<0> : tensor<i32>
// expect: dense<[[4, 6], [12, 14]]> : tensor<2x2xi32>
// wrong (over the last dimension): dense<[[3, 7], [11, 15]]> : tensor<2x2xi32>
// wrong (transposed): dense<[[4, 12], [6, 14]]> : tensor<2x2xi32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x2x2xi32>, %init: tensor<i32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x2x2xi32>, tensor<i32>) -> tensor<2x2xi32>
    "func.return"(%0) : (tensor<2x2xi32>) -> ()
  }) {function_type = (tensor<2x2x2xi32>, tensor<i32>) -> tensor<2x2xi32>, sym_name = "main"} : () -> ()
}

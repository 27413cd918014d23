// clause: reduce: the slices along dimensions, in ascending order
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[[[-2, 2], [2, 4], [4, 2]], [[5, 1], [2, 3], [-2, 5]]], [[[-3, 1], [1, 1], [-2, 3]], [[-1, 0], [3, -2], [-2, 0]]]]> : tensor<2x2x3x2xi32>
// args: dense<-4> : tensor<i32>
// expect: dense<[[2, 7, 5], [-7, -1, -5]]> : tensor<2x3xi32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x2x3x2xi32>, %init: tensor<i32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {dimensions = array<i64: 3, 1>} : (tensor<2x2x3x2xi32>, tensor<i32>) -> tensor<2x3xi32>
    "func.return"(%0) : (tensor<2x3xi32>) -> ()
  }) {function_type = (tensor<2x2x3x2xi32>, tensor<i32>) -> tensor<2x3xi32>, sym_name = "main"} : () -> ()
}

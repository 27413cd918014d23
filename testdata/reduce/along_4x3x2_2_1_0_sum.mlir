// clause: reduce: the slices along dimensions, in ascending order
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[[4, -1], [-4, 4], [-3, -1]], [[-5, -1], [1, 3], [-3, 0]], [[4, 3], [2, 2], [1, -5]], [[4, -3], [0, 1], [-2, 1]]]> : tensor<4x3x2xi32>
// args: dense<2> : tensor<i32>
// expect: dense<4> : tensor<i32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x3x2xi32>, %init: tensor<i32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {dimensions = array<i64: 2, 1, 0>} : (tensor<4x3x2xi32>, tensor<i32>) -> tensor<i32>
    "func.return"(%0) : (tensor<i32>) -> ()
  }) {function_type = (tensor<4x3x2xi32>, tensor<i32>) -> tensor<i32>, sym_name = "main"} : () -> ()
}

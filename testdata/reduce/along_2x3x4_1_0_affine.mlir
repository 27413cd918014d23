// clause: reduce: the slices along dimensions, in ascending order
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[[2, 2, -3, -2], [2, 0, -2, 2], [-2, 5, 3, 1]], [[-4, 1, -2, 2], [-1, 2, 4, -1], [5, -3, 5, 4]]]> : tensor<2x3x4xi32>
// args: dense<[[[2, 4, -3, -3], [-4, 0, -4, 2], [3, 3, 5, -5]], [[-2, 1, -5, -5], [-4, -5, -3, -5], [-2, 5, 4, 3]]]> : tensor<2x3x4xi32>
// args: dense<2> : tensor<i32>
// args: dense<3> : tensor<i32>
// expect: dense<[-320, 0, -1440, 64]> : tensor<4xi32>
// expect: dense<[-432, -4, -2711, 171]> : tensor<4xi32>
module {
  "func.func"() ({
  ^bb0(%input0: tensor<2x3x4xi32>, %input1: tensor<2x3x4xi32>, %init0: tensor<i32>, %init1: tensor<i32>):
    %0:2 = "stablehlo.reduce"(%input0, %input1, %init0, %init1) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>, %b0: tensor<i32>, %b1: tensor<i32>):
      %s = "stablehlo.multiply"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %t = "stablehlo.multiply"(%a1, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %u = "stablehlo.add"(%t, %b1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%s, %u) : (tensor<i32>, tensor<i32>) -> ()
    }) {dimensions = array<i64: 1, 0>} : (tensor<2x3x4xi32>, tensor<2x3x4xi32>, tensor<i32>, tensor<i32>) -> (tensor<4xi32>, tensor<4xi32>)
    "func.return"(%0#0, %0#1) : (tensor<4xi32>, tensor<4xi32>) -> ()
  }) {function_type = (tensor<2x3x4xi32>, tensor<2x3x4xi32>, tensor<i32>, tensor<i32>) -> (tensor<4xi32>, tensor<4xi32>), sym_name = "main"} : () -> ()
}

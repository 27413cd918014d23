// clause: reduce_window: window_strides, both dilations, padding
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[4, 1, -1], [3, -2, -4], [-2, -5, 4], [-2, 1, 3]]> : tensor<4x3xi32>
// args: dense<3> : tensor<i32>
// expect: dense<[[21, 17, 2, -4]]> : tensor<1x4xi32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x3xi32>, %init: tensor<i32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, -1], [2, 0]]> : tensor<2x2xi64>} : (tensor<4x3xi32>, tensor<i32>) -> tensor<1x4xi32>
    "func.return"(%0) : (tensor<1x4xi32>) -> ()
  }) {function_type = (tensor<4x3xi32>, tensor<i32>) -> tensor<1x4xi32>, sym_name = "main"} : () -> ()
}

// clause: reduce_window: window_strides, both dilations, padding
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[2, 1, 5, -3]]> : tensor<1x4xi32>
// args: dense<[[3, -4, 3, 4]]> : tensor<1x4xi32>
// args: dense<1> : tensor<i32>
// args: dense<0> : tensor<i32>
// expect: dense<[[1, 1, 1], [1, 1, 1]]> : tensor<2x3xi32>
// expect: dense<[[0, 0, 0], [0, 0, 0]]> : tensor<2x3xi32>
module {
  "func.func"() ({
  ^bb0(%input0: tensor<1x4xi32>, %input1: tensor<1x4xi32>, %init0: tensor<i32>, %init1: tensor<i32>):
    %0:2 = "stablehlo.reduce_window"(%input0, %input1, %init0, %init1) ({
    ^bb0(%a0: tensor<i32>, %a1: tensor<i32>, %b0: tensor<i32>, %b1: tensor<i32>):
      %s = "stablehlo.multiply"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %t = "stablehlo.multiply"(%a1, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %u = "stablehlo.add"(%t, %b1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%s, %u) : (tensor<i32>, tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 2, 3>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 2], [2, 2]]> : tensor<2x2xi64>} : (tensor<1x4xi32>, tensor<1x4xi32>, tensor<i32>, tensor<i32>) -> (tensor<2x3xi32>, tensor<2x3xi32>)
    "func.return"(%0#0, %0#1) : (tensor<2x3xi32>, tensor<2x3xi32>) -> ()
  }) {function_type = (tensor<1x4xi32>, tensor<1x4xi32>, tensor<i32>, tensor<i32>) -> (tensor<2x3xi32>, tensor<2x3xi32>), sym_name = "main"} : () -> ()
}

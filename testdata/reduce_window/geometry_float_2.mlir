// clause: reduce_window: window_strides, both dilations, padding
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[[4.0], [-1.0]], [[-4.25], [4.0]]]> : tensor<2x2x1xf32>
// args: dense<-0.5> : tensor<f32>
// expect: dense<[[[-0.5]], [[-0.5]]]> : tensor<2x1x1xf32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x2x1xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.minimum"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 1, 1, 2>, window_strides = array<i64: 1, 3, 2>, base_dilations = array<i64: 1, 1, 1>, window_dilations = array<i64: 2, 1, 3>, padding = dense<[[-1, 1], [2, -1], [1, 2]]> : tensor<3x2xi64>} : (tensor<2x2x1xf32>, tensor<f32>) -> tensor<2x1x1xf32>
    "func.return"(%0) : (tensor<2x1x1xf32>) -> ()
  }) {function_type = (tensor<2x2x1xf32>, tensor<f32>) -> tensor<2x1x1xf32>, sym_name = "main"} : () -> ()
}

// clause: reduce_window: window_strides, both dilations, padding
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[[3.5, 3.75], [0.25, -6.0], [6.0, -5.25]], [[0.5, 5.25], [-2.75, -3.75], [-0.25, 3.5]], [[2.75, 2.5], [-2.0, 4.25], [2.5, -0.25]]]> : tensor<3x3x2xf32>
// args: dense<-2.0> : tensor<f32>
// expect: dense<[[[-2.0], [-2.75], [-2.0]]]> : tensor<1x3x1xf32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3x3x2xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.minimum"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 3, 1, 2>, window_strides = array<i64: 3, 3, 3>, base_dilations = array<i64: 2, 3, 3>, window_dilations = array<i64: 1, 1, 1>, padding = dense<[[-1, -1], [0, 1], [0, 0]]> : tensor<3x2xi64>} : (tensor<3x3x2xf32>, tensor<f32>) -> tensor<1x3x1xf32>
    "func.return"(%0) : (tensor<1x3x1xf32>) -> ()
  }) {function_type = (tensor<3x3x2xf32>, tensor<f32>) -> tensor<1x3x1xf32>, sym_name = "main"} : () -> ()
}

// clause: reduce_window: window_strides, both dilations, padding
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[-5.75, 3.75, -5.0]]> : tensor<1x3xf32>
// args: dense<-0.75> : tensor<f32>
// expect: dense<[[-0.75, -5.75, -5.0]]> : tensor<1x3xf32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<1x3xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.minimum"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 3, 2>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 1], [2, 0]]> : tensor<2x2xi64>} : (tensor<1x3xf32>, tensor<f32>) -> tensor<1x3xf32>
    "func.return"(%0) : (tensor<1x3xf32>) -> ()
  }) {function_type = (tensor<1x3xf32>, tensor<f32>) -> tensor<1x3xf32>, sym_name = "main"} : () -> ()
}

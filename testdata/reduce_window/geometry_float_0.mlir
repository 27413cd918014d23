// clause: reduce_window: window_strides, both dilations, padding
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[1.75, -1.75, 2.25, 1.75]> : tensor<4xf32>
// args: dense<-5.5> : tensor<f32>
// expect: dense<[-5.5, -5.5, -5.5]> : tensor<3xf32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.minimum"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 1>, base_dilations = array<i64: 1>, window_dilations = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
    "func.return"(%0) : (tensor<3xf32>) -> ()
  }) {function_type = (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>, sym_name = "main"} : () -> ()
}

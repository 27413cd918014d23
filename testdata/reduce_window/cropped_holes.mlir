// clause: reduce_window: negative padding after base dilation
// Cropping takes the first element, not a hole.
// derivation: by hand: 7+7+7, 7+7+2.
// args: dense<[1.0, 2.0]> : tensor<2xf32>
// args: dense<7.0> : tensor<f32>
// expect: dense<[21.0, 16.0]> : tensor<2xf32>
// permitted (init value twice; init value first and last): dense<[28.0, 23.0]> : tensor<2xf32>
// permitted (init value before every element): dense<[35.0, 3.0e+01]> : tensor<2xf32>
// wrong (padding with stored zeros; padding left out, as XLA): dense<[7.0, 9.0]> : tensor<2xf32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 2>, base_dilations = array<i64: 3>, padding = dense<[[-1, 0]]> : tensor<1x2xi64>} : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
    "func.return"(%0) : (tensor<2xf32>) -> ()
  }) {function_type = (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>, sym_name = "main"} : () -> ()
}

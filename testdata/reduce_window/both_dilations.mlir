// clause: reduce_window: holes and spread windows together
// Taps two apart fall on elements or on holes only.
// derivation: by hand: 0.5+1+2, 0.5+0.5+0.5, 0.5+2+3.
// args: dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
// args: dense<0.5> : tensor<f32>
// expect: dense<[3.5, 1.5, 5.5]> : tensor<3xf32>
// permitted (init value twice; init value first and last): dense<[4.0, 2.0, 6.0]> : tensor<3xf32>
// permitted (init value before every element): dense<[4.5, 2.5, 6.5]> : tensor<3xf32>
// wrong (padding with stored zeros; padding left out, as XLA): dense<[3.5, 0.5, 5.5]> : tensor<3xf32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 2>, base_dilations = array<i64: 2>, window_dilations = array<i64: 2>} : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
    "func.return"(%0) : (tensor<3xf32>) -> ()
  }) {function_type = (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>, sym_name = "main"} : () -> ()
}

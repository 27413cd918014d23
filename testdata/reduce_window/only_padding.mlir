// clause: reduce_window: a window of padding alone
// Strides lead past the one element.
// derivation: by hand: 5+5, 5+1, 5+5.
// args: dense<[1.0]> : tensor<1xf32>
// args: dense<5.0> : tensor<f32>
// expect: dense<[1.0e+01, 6.0, 1.0e+01]> : tensor<3xf32>
// permitted (init value twice; init value before every element; init value first and last): dense<[15.0, 11.0, 15.0]> : tensor<3xf32>
// wrong (zeros, and no init value): dense<[0.0, 1.0, 0.0]> : tensor<3xf32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<1xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 1>, window_strides = array<i64: 2>, padding = dense<[[2, 2]]> : tensor<1x2xi64>} : (tensor<1xf32>, tensor<f32>) -> tensor<3xf32>
    "func.return"(%0) : (tensor<3xf32>) -> ()
  }) {function_type = (tensor<1xf32>, tensor<f32>) -> tensor<3xf32>, sym_name = "main"} : () -> ()
}

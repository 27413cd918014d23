// clause: reduce_window: an input without elements, padded
// Every window is padding.
// derivation: by hand: 5+5+5, twice.
// args: dense<> : tensor<0xf32>
// args: dense<5.0> : tensor<f32>
// expect: dense<[15.0, 15.0]> : tensor<2xf32>
// permitted (init value twice; init value first and last): dense<[2.0e+01, 2.0e+01]> : tensor<2xf32>
// permitted (init value before every element): dense<[25.0, 25.0]> : tensor<2xf32>
// wrong (zeros): dense<[0.0, 0.0]> : tensor<2xf32>
// wrong (padding left out, as XLA): dense<[5.0, 5.0]> : tensor<2xf32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<0xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 2>, padding = dense<[[2, 1]]> : tensor<1x2xi64>} : (tensor<0xf32>, tensor<f32>) -> tensor<2xf32>
    "func.return"(%0) : (tensor<2xf32>) -> ()
  }) {function_type = (tensor<0xf32>, tensor<f32>) -> tensor<2xf32>, sym_name = "main"} : () -> ()
}

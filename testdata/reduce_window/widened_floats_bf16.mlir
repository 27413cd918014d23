// clause: to_destination_type: floats are converted to the body's wider floats
// Accumulated in the inputs' type, digits are lost at every step.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-2.984375, -3.21875, -2.703125, -5.46875, -5.03125, 2.25, 0.1484375]> : tensor<7xbf16>
// args: dense<0.0> : tensor<bf16>
// expect: dense<[-6.203125, -11.390625, -8.25, 2.3984375]> : tensor<4xf32>
// wrong (accumulated in the inputs' type): dense<[-6.1875, -11.375, -8.25, 2.40625]> : tensor<4xf32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7xbf16>, %init: tensor<bf16>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xbf16>, tensor<bf16>) -> tensor<4xf32>
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }) {function_type = (tensor<7xbf16>, tensor<bf16>) -> tensor<4xf32>, sym_name = "main"} : () -> ()
}

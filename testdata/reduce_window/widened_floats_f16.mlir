// clause: to_destination_type: floats are converted to the body's wider floats
// Accumulated in the inputs' type, digits are lost at every step.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[8.48, -9.945, 4.3, 1.913, 2.281, 4.453, 4.215]> : tensor<7xf16>
// args: dense<0.0> : tensor<f16>
// expect: dense<[-1.46875, -3.7314453, 8.647461, 8.667969]> : tensor<4xf32>
// wrong (accumulated in the inputs' type): dense<[-1.46875, -3.7304688, 8.6484375, 8.671875]> : tensor<4xf32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7xf16>, %init: tensor<f16>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xf16>, tensor<f16>) -> tensor<4xf32>
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }) {function_type = (tensor<7xf16>, tensor<f16>) -> tensor<4xf32>, sym_name = "main"} : () -> ()
}

// clause: to_destination_type: floats are converted to the body's wider floats
// Accumulated in the inputs' type, digits are lost at every step.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[1.5513682, 5.130187, 9.847572, 4.379288, -4.189903, -5.0615497, 3.6010761]> : tensor<7xf32>
// args: dense<0.0> : tensor<f32>
// expect: dense<[6.681555271148682, 19.35704755783081, -4.872164249420166, -1.4604735374450684]> : tensor<4xf64>
// wrong (accumulated in the inputs' type): dense<[6.681555271148682, 19.35704803466797, -4.872164249420166, -1.4604735374450684]> : tensor<4xf64>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<f64>, %b0: tensor<f64>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      "stablehlo.return"(%r0) : (tensor<f64>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xf32>, tensor<f32>) -> tensor<4xf64>
    "func.return"(%0) : (tensor<4xf64>) -> ()
  }) {function_type = (tensor<7xf32>, tensor<f32>) -> tensor<4xf64>, sym_name = "main"} : () -> ()
}

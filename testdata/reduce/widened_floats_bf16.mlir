// clause: to_destination_type: floats are converted to the body's wider floats
// Accumulated in the inputs' type, digits are lost at every step.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[-2.984375, -3.21875, -2.703125, -5.46875, -5.03125, 2.25], [0.1484375, -2.03125, 5.5625, 6.28125, -1.3984375, 2.859375]]> : tensor<2x6xbf16>
// args: dense<0.0> : tensor<bf16>
// expect: dense<[-17.15625, 11.421875]> : tensor<2xf32>
// wrong (accumulated in the inputs' type): dense<[-17.125, 11.5]> : tensor<2xf32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6xbf16>, %init: tensor<bf16>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6xbf16>, tensor<bf16>) -> tensor<2xf32>
    "func.return"(%0) : (tensor<2xf32>) -> ()
  }) {function_type = (tensor<2x6xbf16>, tensor<bf16>) -> tensor<2xf32>, sym_name = "main"} : () -> ()
}

// clause: to_destination_type: floats are converted to the body's wider floats
// Accumulated in the inputs' type, digits are lost at every step.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[8.48, -9.945, 4.3, 1.913, 2.281, 4.453], [4.215, 1.525, -8.516, -7.67, 1.697, -8.59]]> : tensor<2x6xf16>
// args: dense<0.0> : tensor<f16>
// expect: dense<[11.479492, -17.34375]> : tensor<2xf32>
// wrong (accumulated in the inputs' type): dense<[11.484375, -17.34375]> : tensor<2xf32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6xf16>, %init: tensor<f16>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6xf16>, tensor<f16>) -> tensor<2xf32>
    "func.return"(%0) : (tensor<2xf32>) -> ()
  }) {function_type = (tensor<2x6xf16>, tensor<f16>) -> tensor<2xf32>, sym_name = "main"} : () -> ()
}

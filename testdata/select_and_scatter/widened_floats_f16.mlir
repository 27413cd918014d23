// clause: to_destination_type: floats are converted to the body's wider floats
// Accumulated in the inputs' type, digits are lost at every step.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[8.48, -9.945, 4.3, 1.913, 2.281, 4.453, 4.215]> : tensor<7xf16>
// args: dense<[1.525, -8.516, -7.67, 1.697, -8.59, 8.62, -8.22]> : tensor<7xf16>
// args: dense<0.0> : tensor<f16>
// expect: dense<[-6.9902344, 0.0, -5.9746094, 0.0, 0.0, -8.1953125, 0.0]> : tensor<7xf32>
// wrong (accumulated in the inputs' type): dense<[-6.9921875, 0.0, -5.9765625, 0.0, 0.0, -8.1953125, 0.0]> : tensor<7xf32>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7xf16>, %source: tensor<7xf16>, %init_value: tensor<f16>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<f16>, %b0: tensor<f16>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<f16>, tensor<f16>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xf16>, tensor<7xf16>, tensor<f16>) -> tensor<7xf32>
    "func.return"(%0) : (tensor<7xf32>) -> ()
  }) {function_type = (tensor<7xf16>, tensor<7xf16>, tensor<f16>) -> tensor<7xf32>, sym_name = "main"} : () -> ()
}

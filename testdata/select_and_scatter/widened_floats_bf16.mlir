// clause: to_destination_type: floats are converted to the body's wider floats
// Accumulated in the inputs' type, digits are lost at every step.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-2.984375, -3.21875, -2.703125, -5.46875, -5.03125, 2.25, 0.1484375]> : tensor<7xbf16>
// args: dense<[-2.03125, 5.5625, 6.28125, -1.3984375, 2.859375, -7.125, -8.3125]> : tensor<7xbf16>
// args: dense<0.0> : tensor<bf16>
// expect: dense<[-2.03125, 0.0, 10.4453125, 0.0, 0.0, -12.578125, 0.0]> : tensor<7xf32>
// wrong (accumulated in the inputs' type): dense<[-2.03125, 0.0, 10.5, 0.0, 0.0, -12.5625, 0.0]> : tensor<7xf32>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7xbf16>, %source: tensor<7xbf16>, %init_value: tensor<bf16>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<bf16>, %b0: tensor<bf16>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xbf16>, tensor<7xbf16>, tensor<bf16>) -> tensor<7xf32>
    "func.return"(%0) : (tensor<7xf32>) -> ()
  }) {function_type = (tensor<7xbf16>, tensor<7xbf16>, tensor<bf16>) -> tensor<7xf32>, sym_name = "main"} : () -> ()
}

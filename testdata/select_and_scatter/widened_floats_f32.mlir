// clause: to_destination_type: floats are converted to the body's wider floats
// Accumulated in the inputs' type, digits are lost at every step.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[1.5513682, 5.130187, 9.847572, 4.379288, -4.189903, -5.0615497, 3.6010761]> : tensor<7xf32>
// args: dense<[-8.814458, -2.7892833, 0.9568058, 0.56302255, 6.6853647, -8.920749, 0.9030436]> : tensor<7xf32>
// args: dense<0.0> : tensor<f32>
// expect: dense<[0.0, -8.814457893371582, -1.2694548964500427, 6.685364723205566, 0.0, 0.0, -8.017705082893372]> : tensor<7xf64>
// wrong (accumulated in the inputs' type): dense<[0.0, -8.814457893371582, -1.2694549560546875, 6.685364723205566, 0.0, 0.0, -8.017704963684082]> : tensor<7xf64>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7xf32>, %source: tensor<7xf32>, %init_value: tensor<f32>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<f64>, %b0: tensor<f64>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      "stablehlo.return"(%r0) : (tensor<f64>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xf32>, tensor<7xf32>, tensor<f32>) -> tensor<7xf64>
    "func.return"(%0) : (tensor<7xf64>) -> ()
  }) {function_type = (tensor<7xf32>, tensor<7xf32>, tensor<f32>) -> tensor<7xf64>, sym_name = "main"} : () -> ()
}

// clause: to_destination_type: floats are converted to the body's wider floats
// Accumulated in the inputs' type, digits are lost at every step.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[1.5513682, 5.130187, 9.847572, 4.379288, -4.189903, -5.0615497], [3.6010761, -8.814458, -2.7892833, 0.9568058, 0.56302255, 6.6853647]]> : tensor<2x6xf32>
// args: dense<0.0> : tensor<f32>
// expect: dense<[11.656963348388672, 0.20252805948257446]> : tensor<2xf64>
// wrong (accumulated in the inputs' type): dense<[11.656961441040039, 0.2025284767150879]> : tensor<2xf64>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<f64>, %b0: tensor<f64>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      "stablehlo.return"(%r0) : (tensor<f64>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6xf32>, tensor<f32>) -> tensor<2xf64>
    "func.return"(%0) : (tensor<2xf64>) -> ()
  }) {function_type = (tensor<2x6xf32>, tensor<f32>) -> tensor<2xf64>, sym_name = "main"} : () -> ()
}

// clause: reduce: the slices along dimensions, in ascending order
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[[-6.0, 0.75, 1.5, 3.25], [-5.25, 3.5, 5.0, 1.5], [2.25, -4.25, -4.5, 1.5]], [[1.25, -0.25, 2.25, -2.0], [-0.5, 3.5, 3.25, -4.25], [-3.0, 5.75, -5.0, -0.25]]]> : tensor<2x3x4xf32>
// args: dense<4.25> : tensor<f32>
// expect: dense<[-6.0, -5.25, -5.0]> : tensor<3xf32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x3x4xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.minimum"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 0, 2>} : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3xf32>
    "func.return"(%0) : (tensor<3xf32>) -> ()
  }) {function_type = (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3xf32>, sym_name = "main"} : () -> ()
}

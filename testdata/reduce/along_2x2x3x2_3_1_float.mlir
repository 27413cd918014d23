// clause: reduce: the slices along dimensions, in ascending order
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[[[-5.25, -5.5], [-4.5, -1.5], [1.0, -4.5]], [[1.75, -3.75], [-5.25, -3.0], [4.5, -1.5]]], [[[-1.0, -3.25], [-3.25, 4.5], [-2.0, -2.75]], [[-5.25, 0.75], [2.25, -5.0], [-3.75, -1.5]]]]> : tensor<2x2x3x2xf32>
// args: dense<0.0> : tensor<f32>
// expect: dense<[[-5.5, -5.25, -4.5], [-5.25, -5.0, -3.75]]> : tensor<2x3xf32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x2x3x2xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.minimum"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 3, 1>} : (tensor<2x2x3x2xf32>, tensor<f32>) -> tensor<2x3xf32>
    "func.return"(%0) : (tensor<2x3xf32>) -> ()
  }) {function_type = (tensor<2x2x3x2xf32>, tensor<f32>) -> tensor<2x3xf32>, sym_name = "main"} : () -> ()
}

// clause: reduce: the slices along dimensions, in ascending order
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[[-5.0, 2.25, -3.5, 2.0], [0.0, -5.0, 0.0, 4.25], [-0.5, 3.25, -3.25, 1.75]], [[1.5, 4.5, 0.75, 3.75], [2.0, -1.75, 2.5, -4.75], [3.5, -5.0, -5.75, -2.75]]]> : tensor<2x3x4xf32>
// args: dense<-0.5> : tensor<f32>
// expect: dense<[-5.0, -5.0, -5.75, -4.75]> : tensor<4xf32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x3x4xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.minimum"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1, 0>} : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<4xf32>
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }) {function_type = (tensor<2x3x4xf32>, tensor<f32>) -> tensor<4xf32>, sym_name = "main"} : () -> ()
}

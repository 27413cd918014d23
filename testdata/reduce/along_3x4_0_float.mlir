// clause: reduce: the slices along dimensions, in ascending order
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[4.75, -1.5, -5.25, 4.25], [2.75, -2.0, 3.5, -4.0], [1.0, 4.25, 2.0, -1.25]]> : tensor<3x4xf32>
// args: dense<5.25> : tensor<f32>
// expect: dense<[1.0, -2.0, -5.25, -4.0]> : tensor<4xf32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3x4xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.minimum"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<3x4xf32>, tensor<f32>) -> tensor<4xf32>
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }) {function_type = (tensor<3x4xf32>, tensor<f32>) -> tensor<4xf32>, sym_name = "main"} : () -> ()
}

// clause: reduce: the slices along dimensions, in ascending order
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[[2.0, -5.0]], [[-5.25, -1.5]], [[0.0, 4.5]]]> : tensor<3x1x2xf32>
// args: dense<-4.75> : tensor<f32>
// expect: dense<[[-4.75, -5.0], [-5.25, -4.75], [-4.75, -4.75]]> : tensor<3x2xf32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3x1x2xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.minimum"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<3x1x2xf32>, tensor<f32>) -> tensor<3x2xf32>
    "func.return"(%0) : (tensor<3x2xf32>) -> ()
  }) {function_type = (tensor<3x1x2xf32>, tensor<f32>) -> tensor<3x2xf32>, sym_name = "main"} : () -> ()
}

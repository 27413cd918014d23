// clause: reduce: the slices along dimensions, in ascending order
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[-0.75, 5.25, -4.25, -4.25, -0.25, -2.75, 3.0, 6.0, 1.75, 0.25, -1.5, -3.25, -6.0, -4.0, 2.25, -1.5, 0.75]> : tensor<17xf32>
// args: dense<-2.75> : tensor<f32>
// expect: dense<-6.0> : tensor<f32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<17xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.minimum"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<17xf32>, tensor<f32>) -> tensor<f32>
    "func.return"(%0) : (tensor<f32>) -> ()
  }) {function_type = (tensor<17xf32>, tensor<f32>) -> tensor<f32>, sym_name = "main"} : () -> ()
}

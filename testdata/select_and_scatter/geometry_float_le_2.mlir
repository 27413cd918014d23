// clause: select_and_scatter: window_strides, padding, ties and overlaps
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[[0.0, 0.0, 0.0, 2.0], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 2.0, 1.0]], [[1.0, 1.0, 0.0, 1.0], [1.0, 0.0, 0.0, 2.0], [1.0, 1.0, 0.0, 1.0]]]> : tensor<2x3x4xf32>
// args: dense<[[[6.0, -2.25], [2.75, -4.0]]]> : tensor<1x2x2xf32>
// args: dense<2.0> : tensor<f32>
// expect: dense<[[[2.0, 2.0, -2.25, 2.0], [2.0, 2.0, -4.0, 2.0], [2.0, 2.0, 2.0, 2.0]], [[2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]]]> : tensor<2x3x4xf32>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<2x3x4xf32>, %source: tensor<1x2x2xf32>, %init_value: tensor<f32>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.minimum"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 2, 3, 3>, window_strides = array<i64: 1, 2, 1>, padding = dense<[[1, -1], [1, 1], [-1, 1]]> : tensor<3x2xi64>} : (tensor<2x3x4xf32>, tensor<1x2x2xf32>, tensor<f32>) -> tensor<2x3x4xf32>
    "func.return"(%0) : (tensor<2x3x4xf32>) -> ()
  }) {function_type = (tensor<2x3x4xf32>, tensor<1x2x2xf32>, tensor<f32>) -> tensor<2x3x4xf32>, sym_name = "main"} : () -> ()
}

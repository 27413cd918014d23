// clause: select_and_scatter: window_strides, padding, ties and overlaps
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[1.0, 2.0, 0.0, 2.0], [1.0, 1.0, 0.0, 2.0], [0.0, 2.0, 0.0, 1.0], [2.0, 1.0, 0.0, 0.0], [2.0, 1.0, 1.0, 0.0]]> : tensor<5x4xf32>
// args: dense<[[-3.0, 0.5, 2.5, -2.75, 6.0, 6.0, -4.0], [-4.5, -2.25, 5.75, -6.0, 0.5, 4.75, 2.75], [2.75, -3.75, -3.0, 3.25, 0.25, -4.75, -2.25], [5.0, -1.0, -2.0, -0.25, 2.25, -4.75, -0.5], [-4.0, -4.25, 2.75, 4.25, 0.0, -2.5, 1.0]]> : tensor<5x7xf32>
// args: dense<-2.0> : tensor<f32>
// expect: dense<[[-2.25, -6.0, -2.0, -2.0], [-2.0, -2.0, -2.0, -2.0], [-3.75, -3.0, -2.0, -4.75], [-2.0, -2.0, -2.0, -2.0], [-2.0, -2.0, -2.0, -4.75]]> : tensor<5x4xf32>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<5x4xf32>, %source: tensor<5x7xf32>, %init_value: tensor<f32>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.minimum"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 2, 1>, padding = dense<[[2, 2], [2, 2]]> : tensor<2x2xi64>} : (tensor<5x4xf32>, tensor<5x7xf32>, tensor<f32>) -> tensor<5x4xf32>
    "func.return"(%0) : (tensor<5x4xf32>) -> ()
  }) {function_type = (tensor<5x4xf32>, tensor<5x7xf32>, tensor<f32>) -> tensor<5x4xf32>, sym_name = "main"} : () -> ()
}

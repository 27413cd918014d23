// (C7) 0 < window_strides
// expect: violation select_and_scatter_c7 (strict)
// expect: violation select_and_scatter_c7 (mlir)
module {
  "func.func"() ({
  ^bb0(%operand: tensor<4xf32>, %source: tensor<2xf32>, %init_value: tensor<f32>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %p = "stablehlo.compare"(%a, %b) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r0 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 0>, padding = dense<0> : tensor<1x2xi64>} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }) {function_type = (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>, sym_name = "main"} : () -> ()
}

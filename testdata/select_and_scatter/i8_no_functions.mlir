// select and scatter are missing.
// expect: violation select_and_scatter_i8 (strict)
// expect: violation select_and_scatter_i8 (mlir)
module {
  "func.func"() ({
  ^bb0(%operand: tensor<4xf32>, %source: tensor<2xf32>, %init_value: tensor<f32>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, padding = dense<0> : tensor<1x2xi64>} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }) {function_type = (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>, sym_name = "main"} : () -> ()
}

// init_values are 0-dimensional.
// expect: violation reduce_window_i2 (strict)
// expect: violation reduce_window_i2 (mlir)
module {
  "func.func"() ({
  ^bb0(%input: tensor<4xf32>, %init: tensor<1xf32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r0 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 1>, base_dilations = array<i64: 1>, window_dilations = array<i64: 1>, padding = dense<0> : tensor<1x2xi64>} : (tensor<4xf32>, tensor<1xf32>) -> tensor<3xf32>
    "func.return"(%0) : (tensor<3xf32>) -> ()
  }) {function_type = (tensor<4xf32>, tensor<1xf32>) -> tensor<3xf32>, sym_name = "main"} : () -> ()
}

// (C14) same(shape(results...))
// expect: violation reduce_window_c14 (strict)
// expect: violation reduce_window_c14 (mlir)
module {
  "func.func"() ({
  ^bb0(%input0: tensor<4xf32>, %input1: tensor<4xf32>, %init0: tensor<f32>, %init1: tensor<f32>):
    %0:2 = "stablehlo.reduce_window"(%input0, %input1, %init0, %init1) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
      %r0 = "stablehlo.add"(%a, %c) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %r1 = "stablehlo.add"(%b, %d) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0, %r1) : (tensor<f32>, tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 1>, base_dilations = array<i64: 1>, window_dilations = array<i64: 1>, padding = dense<0> : tensor<1x2xi64>} : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>, tensor<4xf32>)
    "func.return"(%0#0, %0#1) : (tensor<3xf32>, tensor<4xf32>) -> ()
  }) {function_type = (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>, tensor<4xf32>), sym_name = "main"} : () -> ()
}

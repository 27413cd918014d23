// (C1) same(shape(inputs...))
// expect: violation reduce_c1 (strict)
// expect: violation reduce_c1 (mlir)
module {
  "func.func"() ({
  ^bb0(%input0: tensor<2x3xf32>, %input1: tensor<2x4xf32>, %init0: tensor<f32>, %init1: tensor<f32>):
    %0:2 = "stablehlo.reduce"(%input0, %input1, %init0, %init1) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
      %r0 = "stablehlo.add"(%a, %c) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %r1 = "stablehlo.add"(%b, %d) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0, %r1) : (tensor<f32>, tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<2x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)
    "func.return"(%0#0, %0#1) : (tensor<2xf32>, tensor<2xf32>) -> ()
  }) {function_type = (tensor<2x3xf32>, tensor<2x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>), sym_name = "main"} : () -> ()
}

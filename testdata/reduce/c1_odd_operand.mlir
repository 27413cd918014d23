// (C1) the last of three operands is neither an input nor an init value, which jaxlib overlooks (erratum E25)
// expect: violation reduce_c1 (strict)
module {
  "func.func"() ({
  ^bb0(%input: tensor<2xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce"(%input, %init, %init) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r0 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<f32>, tensor<f32>) -> tensor<f32>
    "func.return"(%0) : (tensor<f32>) -> ()
  }) {function_type = (tensor<2xf32>, tensor<f32>) -> tensor<f32>, sym_name = "main"} : () -> ()
}

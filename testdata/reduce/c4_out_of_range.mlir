// (C4) 0 <= dimensions < rank(inputs[0])
// expect: violation reduce_c4 (strict)
// expect: violation reduce_c4 (mlir)
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x3xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r0 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
    "func.return"(%0) : (tensor<2xf32>) -> ()
  }) {function_type = (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>, sym_name = "main"} : () -> ()
}

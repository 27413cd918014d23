// The body is missing.
// expect: violation reduce_i4 (strict)
// expect: violation reduce_i4 (mlir)
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x3xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce"(%input, %init) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
    "func.return"(%0) : (tensor<2xf32>) -> ()
  }) {function_type = (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>, sym_name = "main"} : () -> ()
}

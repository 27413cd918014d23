// (C4) -R <= dimension < R, where R = rank(inputs[0])
// expect: violation sort_c4 (strict)
// expect: violation sort_c4 (mlir)
module {
  "func.func"() ({
  ^bb0(%x0: tensor<2xf32>):
    %0 = "stablehlo.sort"(%x0) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }) {dimension = 1 : i64, is_stable = true} : (tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%0) : (tensor<2xf32>) -> ()
  }) {function_type = (tensor<2xf32>) -> (tensor<2xf32>), sym_name = "main"} : () -> ()
}

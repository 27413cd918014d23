// (C2) type(inputs...) = type(results...)
// expect: violation sort_c2 (strict)
// expect: violation sort_c2 (mlir)
module {
  "func.func"() ({
  ^bb0(%x0: tensor<2xf32>):
    %0 = "stablehlo.sort"(%x0) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }) {dimension = 0 : i64, is_stable = true} : (tensor<2xf32>) -> tensor<2xf64>
    "func.return"(%0) : (tensor<2xf64>) -> ()
  }) {function_type = (tensor<2xf32>) -> (tensor<2xf64>), sym_name = "main"} : () -> ()
}

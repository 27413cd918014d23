// (C3) same(shape(inputs...) + shape(results...))
// expect: violation sort_c3 (strict)
// expect: violation sort_c3 (mlir)
module {
  "func.func"() ({
  ^bb0(%x0: tensor<2xf32>, %x1: tensor<3xf32>):
    %0:2 = "stablehlo.sort"(%x0, %x1) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>, %a1: tensor<f32>, %b1: tensor<f32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }) {dimension = 0 : i64, is_stable = true} : (tensor<2xf32>, tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>)
    "func.return"(%0#0, %0#1) : (tensor<2xf32>, tensor<3xf32>) -> ()
  }) {function_type = (tensor<2xf32>, tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>), sym_name = "main"} : () -> ()
}

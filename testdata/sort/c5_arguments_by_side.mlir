// (C5) comparator has type (tensor<E0>, tensor<E0>, ..., tensor<EN-1>, tensor<EN-1>) -> tensor<i1>
// expect: violation sort_c5 (strict)
// expect: violation sort_c5 (mlir)
module {
  "func.func"() ({
  ^bb0(%x0: tensor<2xf32>, %x1: tensor<2xi8>):
    %0:2 = "stablehlo.sort"(%x0, %x1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<i8>, %b0: tensor<f32>, %b1: tensor<i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }) {dimension = 0 : i64, is_stable = true} : (tensor<2xf32>, tensor<2xi8>) -> (tensor<2xf32>, tensor<2xi8>)
    "func.return"(%0#0, %0#1) : (tensor<2xf32>, tensor<2xi8>) -> ()
  }) {function_type = (tensor<2xf32>, tensor<2xi8>) -> (tensor<2xf32>, tensor<2xi8>), sym_name = "main"} : () -> ()
}

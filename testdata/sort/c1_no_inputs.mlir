// (C1) 0 < size(inputs)
// expect: violation sort_c1 (strict)
// expect: violation sort_c1 (mlir)
module {
  "func.func"() ({
  ^bb0():
    "stablehlo.sort"() ({
    ^bb0():
      %p = "stablehlo.constant"() {value = dense<true> : tensor<i1>} : () -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }) {dimension = 0 : i64, is_stable = true} : () -> ()
    "func.return"() : () -> ()
  }) {function_type = () -> (), sym_name = "main"} : () -> ()
}

// (C2) 0 < size(inputs) = N
// expect: violation map_c2 (strict)
// expect: violation map_c2 (mlir)
module {
  "func.func"() ({
  ^bb0():
    %0 = "stablehlo.map"() ({
    ^bb0():
      %p = "stablehlo.constant"() {value = dense<true> : tensor<i1>} : () -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }) {dimensions = array<i64: 0>} : () -> tensor<2xi1>
    "func.return"(%0) : (tensor<2xi1>) -> ()
  }) {function_type = () -> (tensor<2xi1>), sym_name = "main"} : () -> ()
}

// (C6) is_promotable(element_type(inputs[i]), Ei); jaxlib takes i1 for an integer (E6).
// expect: violation reduce_c6 (strict)
// expect: no violation (mlir)
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x3xi1>, %init: tensor<i1>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a: tensor<i8>, %b: tensor<i8>):
      %r0 = "stablehlo.or"(%a, %b) : (tensor<i8>, tensor<i8>) -> tensor<i8>
      "stablehlo.return"(%r0) : (tensor<i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x3xi1>, tensor<i1>) -> tensor<2xi8>
    "func.return"(%0) : (tensor<2xi8>) -> ()
  }) {function_type = (tensor<2x3xi1>, tensor<i1>) -> tensor<2xi8>, sym_name = "main"} : () -> ()
}

// (C6) is_promotable(element_type(inputs[i]), Ei); jaxlib takes any float for a float (E6).
// expect: violation reduce_c6 (strict)
// expect: no violation (mlir)
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x3xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a: tensor<f16>, %b: tensor<f16>):
      %r0 = "stablehlo.add"(%a, %b) : (tensor<f16>, tensor<f16>) -> tensor<f16>
      "stablehlo.return"(%r0) : (tensor<f16>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf16>
    "func.return"(%0) : (tensor<2xf16>) -> ()
  }) {function_type = (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf16>, sym_name = "main"} : () -> ()
}

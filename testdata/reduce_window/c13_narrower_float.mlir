// (C13) is_promotable(element_type(inputs[i]), Ei); jaxlib takes any float for a float (E6).
// expect: violation reduce_window_c13 (strict)
// expect: no violation (mlir)
module {
  "func.func"() ({
  ^bb0(%input: tensor<4xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
      %r0 = "stablehlo.add"(%a, %b) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      "stablehlo.return"(%r0) : (tensor<bf16>) -> ()
    }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 1>, base_dilations = array<i64: 1>, window_dilations = array<i64: 1>, padding = dense<0> : tensor<1x2xi64>} : (tensor<4xf32>, tensor<f32>) -> tensor<3xbf16>
    "func.return"(%0) : (tensor<3xbf16>) -> ()
  }) {function_type = (tensor<4xf32>, tensor<f32>) -> tensor<3xbf16>, sym_name = "main"} : () -> ()
}

// The operand is not quantized.
// expect: violation uniform_dequantize_i1 (strict)
// expect: violation uniform_dequantize_i1 (mlir)
module {
  "func.func"() ({
  ^bb0(%operand: tensor<2xf32>):
    %0 = "stablehlo.uniform_dequantize"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%0) : (tensor<2xf32>) -> ()
  }) {function_type = (tensor<2xf32>) -> tensor<2xf32>, sym_name = "main"} : () -> ()
}

// (C2) a float operand has no expressed type.
// expect: violation uniform_dequantize_c2 (strict)
// expect: violation uniform_dequantize_c2 (mlir)
module {
  "func.func"() ({
  ^bb0(%operand: tensor<2xf32>):
    %0 = "stablehlo.uniform_dequantize"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%0) : (tensor<2xf32>) -> ()
  }) {function_type = (tensor<2xf32>) -> tensor<2xf32>, sym_name = "main"} : () -> ()
}

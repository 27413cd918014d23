// (C2) a float result has no expressed type.
// expect: violation uniform_quantize_c2 (strict)
// expect: violation uniform_quantize_c2 (mlir)
module {
  "func.func"() ({
  ^bb0(%operand: tensor<2xf32>):
    %0 = "stablehlo.uniform_quantize"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%0) : (tensor<2xf32>) -> ()
  }) {function_type = (tensor<2xf32>) -> tensor<2xf32>, sym_name = "main"} : () -> ()
}

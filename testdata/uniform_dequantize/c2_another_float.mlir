// (C2) element_type(result) = expressed_type(operand)
// expect: violation uniform_dequantize_c2 (strict)
// expect: violation uniform_dequantize_c2 (mlir)
!i8 = !quant.uniform<i8:f32, 5.000000e-01>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<2x!i8>):
    %0 = "stablehlo.uniform_dequantize"(%operand) : (tensor<2x!i8>) -> tensor<2xf64>
    "func.return"(%0) : (tensor<2xf64>) -> ()
  }) {function_type = (tensor<2x!i8>) -> tensor<2xf64>, sym_name = "main"} : () -> ()
}

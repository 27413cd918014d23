// (C2) expressed_type(result) = is_float(operand) ? element_type(operand) : expressed_type(operand)
// expect: violation uniform_quantize_c2 (strict)
// expect: violation uniform_quantize_c2 (mlir)
!i8 = !quant.uniform<i8:f32, 5.000000e-01>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<2xf64>):
    %0 = "stablehlo.uniform_quantize"(%operand) : (tensor<2xf64>) -> tensor<2x!i8>
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<2xf64>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}

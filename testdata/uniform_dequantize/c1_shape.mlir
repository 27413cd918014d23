// (C1) shape(operand) = shape(result)
// expect: violation uniform_dequantize_c1 (strict)
// expect: violation uniform_dequantize_c1 (mlir)
!i8 = !quant.uniform<i8:f32, 5.000000e-01>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<2x!i8>):
    %0 = "stablehlo.uniform_dequantize"(%operand) : (tensor<2x!i8>) -> tensor<3xf32>
    "func.return"(%0) : (tensor<3xf32>) -> ()
  }) {function_type = (tensor<2x!i8>) -> tensor<3xf32>, sym_name = "main"} : () -> ()
}

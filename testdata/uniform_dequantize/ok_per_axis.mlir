// Each slice has its own scale.
// expect: no violation (strict)
// expect: no violation (mlir)
!i8 = !quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<2x2x!i8>):
    %0 = "stablehlo.uniform_dequantize"(%operand) : (tensor<2x2x!i8>) -> tensor<2x2xf32>
    "func.return"(%0) : (tensor<2x2xf32>) -> ()
  }) {function_type = (tensor<2x2x!i8>) -> tensor<2x2xf32>, sym_name = "main"} : () -> ()
}

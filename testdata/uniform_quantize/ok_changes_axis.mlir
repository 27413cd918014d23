// Requantizing may change the quantization_dimension.
// expect: no violation (strict)
// expect: no violation (mlir)
!i8 = !quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>
!u8 = !quant.uniform<u8:f32:1, {1.000000e+00,2.000000e+00:7}>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<2x2x!i8>):
    %0 = "stablehlo.uniform_quantize"(%operand) : (tensor<2x2x!i8>) -> tensor<2x2x!u8>
    "func.return"(%0) : (tensor<2x2x!u8>) -> ()
  }) {function_type = (tensor<2x2x!i8>) -> tensor<2x2x!u8>, sym_name = "main"} : () -> ()
}

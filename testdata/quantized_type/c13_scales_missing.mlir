// (C13) dim(self, quantization_dimension) = size(scales)
// expect: violation quantized_type_c13 (strict)
// expect: violation quantized_type_c13 (mlir)
!i8 = !quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01,1.000000e+00}>
module {
  "func.func"() ({
  ^bb0(%0: tensor<2x!i8>):
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<2x!i8>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}

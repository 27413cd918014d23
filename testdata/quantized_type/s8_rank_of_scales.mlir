// (S8) size(parameters_shape) = rank(self)
// expect: violation quantized_type_s8 (strict)
// expect: violation quantized_type_s8 (mlir)
!i8 = !quant.uniform<i8:f32:{0:2}, {5.000000e-01}>
module {
  "func.func"() ({
  ^bb0(%0: tensor<2x2x!i8>):
    "func.return"(%0) : (tensor<2x2x!i8>) -> ()
  }) {function_type = (tensor<2x2x!i8>) -> tensor<2x2x!i8>, sym_name = "main"} : () -> ()
}

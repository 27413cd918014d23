// (S9) parameters_shape[axis] = dim(self, axis) / size
// expect: violation quantized_type_s9 (strict)
// expect: violation quantized_type_s9 (mlir)
!i8 = !quant.uniform<i8:f32:{0:2}, {5.000000e-01}>
module {
  "func.func"() ({
  ^bb0(%0: tensor<4x!i8>):
    "func.return"(%0) : (tensor<4x!i8>) -> ()
  }) {function_type = (tensor<4x!i8>) -> tensor<4x!i8>, sym_name = "main"} : () -> ()
}

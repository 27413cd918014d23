// (S6) dim(self, axis) % size = 0 for axis and size in block_sizes
// expect: violation quantized_type_s6 (strict)
// expect: violation quantized_type_s6 (mlir)
!i8 = !quant.uniform<i8:f32:{0:2}, {5.000000e-01}>
module {
  "func.func"() ({
  ^bb0(%0: tensor<3x!i8>):
    "func.return"(%0) : (tensor<3x!i8>) -> ()
  }) {function_type = (tensor<3x!i8>) -> tensor<3x!i8>, sym_name = "main"} : () -> ()
}

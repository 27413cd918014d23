// (S3) 0 <= axis < rank(self) for axis and size in block_sizes
// expect: violation quantized_type_s3 (strict)
// expect: violation quantized_type_s3 (mlir)
!i8 = !quant.uniform<i8:f32:{1:1}, {5.000000e-01}>
module {
  "func.func"() ({
  ^bb0(%0: tensor<2x!i8>):
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<2x!i8>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}

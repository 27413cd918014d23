// (S4) is_unique(axis for axis and size in block_sizes)
// expect: violation quantized_type_s4 (strict)
// expect: violation quantized_type_s4 (mlir)
!i8 = !quant.uniform<i8:f32:{0:1, 0:2}, {5.000000e-01, 2.500000e-01}>
module {
  "func.func"() ({
  ^bb0(%0: tensor<2x!i8>):
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<2x!i8>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}

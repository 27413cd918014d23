// (S5) 0 < size for axis and size in block_sizes; MLIR's type parser is first.
// expect: malformed illegal block size: 0
!i8 = !quant.uniform<i8:f32:{0:0}, {5.000000e-01}>
module {
  "func.func"() ({
  ^bb0(%0: tensor<2x!i8>):
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<2x!i8>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}

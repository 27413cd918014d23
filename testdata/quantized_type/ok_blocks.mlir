// A sub-channel type: two blocks of two rows.
// expect: no violation (strict)
// expect: no violation (mlir)
!i8 = !quant.uniform<i8:f32:{0:2}, {{5.000000e-01}, {2.500000e-01:3}}>
module {
  "func.func"() ({
  ^bb0(%0: tensor<4x3x!i8>):
    "func.return"(%0) : (tensor<4x3x!i8>) -> ()
  }) {function_type = (tensor<4x3x!i8>) -> tensor<4x3x!i8>, sym_name = "main"} : () -> ()
}

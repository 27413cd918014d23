// (S2) 0 < rank(self)
// expect: violation quantized_type_s2 (strict)
// expect: violation quantized_type_s2 (mlir)
!i8 = !quant.uniform<i8:f32:{0:1}, {5.000000e-01}>
module {
  "func.func"() ({
  ^bb0(%0: tensor<!i8>):
    "func.return"(%0) : (tensor<!i8>) -> ()
  }) {function_type = (tensor<!i8>) -> tensor<!i8>, sym_name = "main"} : () -> ()
}

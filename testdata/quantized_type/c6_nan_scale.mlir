// (C6) is_finite(scales...); MLIR does not see a NaN.
// expect: violation quantized_type_c6 (strict)
!i8 = !quant.uniform<i8:f32, 0x7FF8000000000000>
module {
  "func.func"() ({
  ^bb0(%0: tensor<!i8>):
    "func.return"(%0) : (tensor<!i8>) -> ()
  }) {function_type = (tensor<!i8>) -> tensor<!i8>, sym_name = "main"} : () -> ()
}

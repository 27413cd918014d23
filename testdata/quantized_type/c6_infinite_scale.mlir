// (C6) is_finite(scales...); MLIR's type parser is first.
// expect: malformed scale INF out of expressed type range
!i8 = !quant.uniform<i8:f32, 0x7FF0000000000000>
module {
  "func.func"() ({
  ^bb0(%0: tensor<!i8>):
    "func.return"(%0) : (tensor<!i8>) -> ()
  }) {function_type = (tensor<!i8>) -> tensor<!i8>, sym_name = "main"} : () -> ()
}

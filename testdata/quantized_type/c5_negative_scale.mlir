// (C5) 0 < scales; MLIR's type parser is first.
// expect: malformed scale -5.000000e-01 out of expressed type range
!i8 = !quant.uniform<i8:f32, -5.000000e-01>
module {
  "func.func"() ({
  ^bb0(%0: tensor<!i8>):
    "func.return"(%0) : (tensor<!i8>) -> ()
  }) {function_type = (tensor<!i8>) -> tensor<!i8>, sym_name = "main"} : () -> ()
}

// (C3) min_value(storage_type) <= storage_min < storage_max <= max_value(storage_type); MLIR's type parser is first.
// expect: malformed illegal storage min and storage max: (1:1)
!i8 = !quant.uniform<i8<1:1>:f32, 5.000000e-01:1>
module {
  "func.func"() ({
  ^bb0(%0: tensor<!i8>):
    "func.return"(%0) : (tensor<!i8>) -> ()
  }) {function_type = (tensor<!i8>) -> tensor<!i8>, sym_name = "main"} : () -> ()
}

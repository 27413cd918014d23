// (C3) min_value(storage_type) <= storage_min < storage_max <= max_value(storage_type); MLIR's type parser is first.
// expect: malformed illegal storage type minimum: -129
!i8 = !quant.uniform<i8<-129:127>:f32, 5.000000e-01>
module {
  "func.func"() ({
  ^bb0(%0: tensor<!i8>):
    "func.return"(%0) : (tensor<!i8>) -> ()
  }) {function_type = (tensor<!i8>) -> tensor<!i8>, sym_name = "main"} : () -> ()
}

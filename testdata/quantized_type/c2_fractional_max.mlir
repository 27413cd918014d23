// (C2) type(storage_max) = storage_type; MLIR's type parser is first.
// expect: malformed expected integer value
!i8 = !quant.uniform<i8<0:1.5>:f32, 5.000000e-01>
module {
  "func.func"() ({
  ^bb0(%0: tensor<!i8>):
    "func.return"(%0) : (tensor<!i8>) -> ()
  }) {function_type = (tensor<!i8>) -> tensor<!i8>, sym_name = "main"} : () -> ()
}

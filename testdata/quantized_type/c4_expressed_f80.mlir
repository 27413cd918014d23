// (C4) type(scales...) = expressed_type, a float of the specification.
// expect: violation quantized_type_c4 (strict)
// expect: violation quantized_type_c4 (mlir)
!i8 = !quant.uniform<i8:f80, 5.000000e-01>
module {
  "func.func"() ({
  ^bb0(%0: tensor<!i8>):
    "func.return"(%0) : (tensor<!i8>) -> ()
  }) {function_type = (tensor<!i8>) -> tensor<!i8>, sym_name = "main"} : () -> ()
}

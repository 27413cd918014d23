// (C7) storage_min <= zero_points <= storage_max
// expect: violation quantized_type_c7 (strict)
// expect: violation quantized_type_c7 (mlir)
!i8 = !quant.uniform<i8:f32, 5.000000e-01:300>
module {
  "func.func"() ({
  ^bb0(%0: tensor<!i8>):
    "func.return"(%0) : (tensor<!i8>) -> ()
  }) {function_type = (tensor<!i8>) -> tensor<!i8>, sym_name = "main"} : () -> ()
}

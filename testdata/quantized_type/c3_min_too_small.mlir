// (C3) min_value(storage_type) <= storage_min < storage_max <= max_value(storage_type)
// expect: violation quantized_type_c3 (strict)
// expect: violation quantized_type_c3 (mlir)
!i8 = !quant.uniform<i8<-129:127>:f32, 5.000000e-01>
module {
  "func.func"() ({
  ^bb0(%0: tensor<!i8>):
    "func.return"(%0) : (tensor<!i8>) -> ()
  }) {function_type = (tensor<!i8>) -> tensor<!i8>, sym_name = "main"} : () -> ()
}

// (C5) 0 < scales, which MLIR does not ask of a NaN.
// expect: violation quantized_type_c5 (strict)
// expect: violation quantized_type_c5 (mlir)
!i8 = !quant.uniform<i8:f32, 0x7FF8000000000000>
module {
  "func.func"() ({
  ^bb0(%0: tensor<!i8>):
    "func.return"(%0) : (tensor<!i8>) -> ()
  }) {function_type = (tensor<!i8>) -> tensor<!i8>, sym_name = "main"} : () -> ()
}

// (S7) 0 < shape(self)...
// expect: violation quantized_type_s7 (strict)
// expect: violation quantized_type_s7 (mlir)
!i8 = !quant.uniform<i8:f32:{0:2}, {{5.000000e-01}}>
module {
  "func.func"() ({
  ^bb0(%0: tensor<2x0x!i8>):
    "func.return"(%0) : (tensor<2x0x!i8>) -> ()
  }) {function_type = (tensor<2x0x!i8>) -> tensor<2x0x!i8>, sym_name = "main"} : () -> ()
}

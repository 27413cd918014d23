// Scales and zero points of a per-axis type.
// expect: no violation (strict)
// expect: no violation (mlir)
!i8 = !quant.uniform<i8<-100:100>:f32:0, {5.000000e-01:3,2.500000e-01:-100}>
module {
  "func.func"() ({
  ^bb0(%0: tensor<2x3x!i8>):
    "func.return"(%0) : (tensor<2x3x!i8>) -> ()
  }) {function_type = (tensor<2x3x!i8>) -> tensor<2x3x!i8>, sym_name = "main"} : () -> ()
}

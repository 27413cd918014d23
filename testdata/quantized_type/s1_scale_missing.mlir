// (S1) size(scales) = prod(parameters_shape), here 3 and 2 * 2; MLIR's type parser is first.
// expect: malformed tensor literal is invalid; ranks are not consistent between elements
!i8 = !quant.uniform<i8:f32:{0:2, 1:1}, {{5.000000e-01, 2.500000e-01}, {1.000000e+00}}>
module {
  "func.func"() ({
  ^bb0(%0: tensor<4x2x!i8>):
    "func.return"(%0) : (tensor<4x2x!i8>) -> ()
  }) {function_type = (tensor<4x2x!i8>) -> tensor<4x2x!i8>, sym_name = "main"} : () -> ()
}

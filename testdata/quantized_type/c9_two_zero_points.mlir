// (C9) size(scales) = size(zero_points), here 2 and 3; MLIR's type parser is first.
// expect: malformed expected '}'
!i8 = !quant.uniform<i8:f32:0, {5.000000e-01:1:2,2.500000e-01:3}>
module {
  "func.func"() ({
  ^bb0(%0: tensor<2x!i8>):
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<2x!i8>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}

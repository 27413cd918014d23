// (C10) if is_empty(quantization_dimension), then size(scales) = 1; MLIR's type parser is first.
// expect: malformed expected floating point literal
!i8 = !quant.uniform<i8:f32, {5.000000e-01,2.500000e-01}>
module {
  "func.func"() ({
  ^bb0(%0: tensor<2x!i8>):
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<2x!i8>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}

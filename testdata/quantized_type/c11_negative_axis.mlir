// (C11) 0 <= quantization_dimension; MLIR's type parser is first.
// expect: malformed illegal quantized dimension: -1
!i8 = !quant.uniform<i8:f32:-1, {5.000000e-01,2.500000e-01}>
module {
  "func.func"() ({
  ^bb0(%0: tensor<2x!i8>):
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<2x!i8>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}

// The operand is no float.
// expect: violation uniform_quantize_i1 (strict)
// expect: violation uniform_quantize_i1 (mlir)
!i8 = !quant.uniform<i8:f32, 5.000000e-01>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<2xi32>):
    %0 = "stablehlo.uniform_quantize"(%operand) : (tensor<2xi32>) -> tensor<2x!i8>
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<2xi32>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}

// (C6) is_promotable(element_type(inputs[i]), Ei)
// expect: violation reduce_c6 (strict)
// expect: violation reduce_c6 (mlir)
!i8 = !quant.uniform<i8:f32, 5.000000e-01>
!i4 = !quant.uniform<i4:f32, 5.000000e-01>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x3x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a: tensor<!i4>, %b: tensor<!i4>):
      %r0 = "stablehlo.add"(%a, %b) : (tensor<!i4>, tensor<!i4>) -> tensor<!i4>
      "stablehlo.return"(%r0) : (tensor<!i4>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x3x!i8>, tensor<!i8>) -> tensor<2x!i4>
    "func.return"(%0) : (tensor<2x!i4>) -> ()
  }) {function_type = (tensor<2x3x!i8>, tensor<!i8>) -> tensor<2x!i4>, sym_name = "main"} : () -> ()
}

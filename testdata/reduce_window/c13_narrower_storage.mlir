// (C13) is_promotable(element_type(inputs[i]), Ei)
// expect: violation reduce_window_c13 (strict)
// expect: violation reduce_window_c13 (mlir)
!i8 = !quant.uniform<i8:f32, 5.000000e-01>
!i4 = !quant.uniform<i4:f32, 5.000000e-01>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a: tensor<!i4>, %b: tensor<!i4>):
      %r0 = "stablehlo.add"(%a, %b) : (tensor<!i4>, tensor<!i4>) -> tensor<!i4>
      "stablehlo.return"(%r0) : (tensor<!i4>) -> ()
    }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 1>, base_dilations = array<i64: 1>, window_dilations = array<i64: 1>, padding = dense<0> : tensor<1x2xi64>} : (tensor<4x!i8>, tensor<!i8>) -> tensor<3x!i4>
    "func.return"(%0) : (tensor<3x!i4>) -> ()
  }) {function_type = (tensor<4x!i8>, tensor<!i8>) -> tensor<3x!i4>, sym_name = "main"} : () -> ()
}

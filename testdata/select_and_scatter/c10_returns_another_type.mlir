// (C10) scatter has type (tensor<E>, tensor<E>) -> tensor<E>
// expect: violation select_and_scatter_c10 (strict)
// expect: violation select_and_scatter_c10 (mlir)
!i8 = !quant.uniform<i8:f32, 5.000000e-01>
!i8_a = !quant.uniform<i8:f32, 2.500000e-01>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<4x!i8>, %source: tensor<2x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<!i8>, %b: tensor<!i8>):
      %p = "stablehlo.compare"(%a, %b) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a: tensor<!i8>, %b: tensor<!i8>):
      %r0 = "stablehlo.add"(%a, %b) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8_a>
      "stablehlo.return"(%r0) : (tensor<!i8_a>) -> ()
    }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, padding = dense<0> : tensor<1x2xi64>} : (tensor<4x!i8>, tensor<2x!i8>, tensor<!i8>) -> tensor<4x!i8_a>
    "func.return"(%0) : (tensor<4x!i8_a>) -> ()
  }) {function_type = (tensor<4x!i8>, tensor<2x!i8>, tensor<!i8>) -> tensor<4x!i8_a>, sym_name = "main"} : () -> ()
}

// (C12) element_type(result) = E
// expect: violation select_and_scatter_c12 (strict)
// expect: violation select_and_scatter_c12 (mlir)
// expect: no violation (rfc)
!i8 = !quant.uniform<i8:f32, 5.000000e-01>
!i32 = !quant.uniform<i32:f32, 5.000000e-01>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<4x!i8>, %source: tensor<2x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a: tensor<!i8>, %b: tensor<!i8>):
      %p = "stablehlo.compare"(%a, %b) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a: tensor<!i32>, %b: tensor<!i32>):
      %r0 = "stablehlo.add"(%a, %b) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, padding = dense<0> : tensor<1x2xi64>} : (tensor<4x!i8>, tensor<2x!i8>, tensor<!i8>) -> tensor<4x!i8>
    "func.return"(%0) : (tensor<4x!i8>) -> ()
  }) {function_type = (tensor<4x!i8>, tensor<2x!i8>, tensor<!i8>) -> tensor<4x!i8>, sym_name = "main"} : () -> ()
}

// (C16) element_type(results[i]) = Ei
// expect: violation reduce_window_c16 (strict)
// expect: violation reduce_window_c16 (mlir)
// expect: no violation (rfc)
!i8 = !quant.uniform<i8:f32, 5.000000e-01>
!i32 = !quant.uniform<i32:f32, 5.000000e-01>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a: tensor<!i32>, %b: tensor<!i32>):
      %r0 = "stablehlo.add"(%a, %b) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 1>, base_dilations = array<i64: 1>, window_dilations = array<i64: 1>, padding = dense<0> : tensor<1x2xi64>} : (tensor<4x!i8>, tensor<!i8>) -> tensor<3x!i8>
    "func.return"(%0) : (tensor<3x!i8>) -> ()
  }) {function_type = (tensor<4x!i8>, tensor<!i8>) -> tensor<3x!i8>, sym_name = "main"} : () -> ()
}

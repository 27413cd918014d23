// (C16) element_type(results[i]) = Ei, erratum E14.
// expect: violation reduce_window_c16 (strict)
// expect: no violation (mlir)
!i8 = !quant.uniform<i8:f32, 5.000000e-01>
!i8_a = !quant.uniform<i8:f32, 2.500000e-01>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a: tensor<!i8>, %b: tensor<!i8>):
      %r0 = "stablehlo.add"(%a, %b) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 1>, base_dilations = array<i64: 1>, window_dilations = array<i64: 1>, padding = dense<0> : tensor<1x2xi64>} : (tensor<4x!i8>, tensor<!i8>) -> tensor<3x!i8_a>
    "func.return"(%0) : (tensor<3x!i8_a>) -> ()
  }) {function_type = (tensor<4x!i8>, tensor<!i8>) -> tensor<3x!i8_a>, sym_name = "main"} : () -> ()
}

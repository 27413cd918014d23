// Padding, stride and both dilations: 4 elements become 11 places, of which 3 windows of extent 5 start at 0, 3, 6.
// expect: no violation (strict)
// expect: no violation (mlir)
!i8 = !quant.uniform<i8:f32, 5.000000e-01:3>
!i32 = !quant.uniform<i32:f32, 5.000000e-01>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a: tensor<!i32>, %b: tensor<!i32>):
      %r0 = "stablehlo.add"(%a, %b) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 3>, base_dilations = array<i64: 2>, window_dilations = array<i64: 2>, padding = dense<[[1, 3]]> : tensor<1x2xi64>} : (tensor<4x!i8>, tensor<!i8>) -> tensor<3x!i32>
    "func.return"(%0) : (tensor<3x!i32>) -> ()
  }) {function_type = (tensor<4x!i8>, tensor<!i8>) -> tensor<3x!i32>, sym_name = "main"} : () -> ()
}

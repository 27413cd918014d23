// clause: reduce_window: window_strides, both dilations, padding
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[4], [0], [0], [0]]> : tensor<4x1xi8>
// args: dense<2> : tensor<i8>
// expect: dense<[[2, 2], [2, 2], [2, 2], [2, 2]]> : tensor<4x2xi8>
!i8 = !quant.uniform<i8:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x1x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 2>, base_dilations = array<i64: 2, 2>, window_dilations = array<i64: 1, 1>, padding = dense<[[2, 0], [1, 2]]> : tensor<2x2xi64>} : (tensor<4x1x!i8>, tensor<!i8>) -> tensor<4x2x!i8>
    "func.return"(%0) : (tensor<4x2x!i8>) -> ()
  }) {function_type = (tensor<4x1x!i8>, tensor<!i8>) -> tensor<4x2x!i8>, sym_name = "main"} : () -> ()
}

// clause: reduce_window: window_strides, both dilations, padding
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[[-1, 4, -4], [1, -4, 4], [2, -3, -1]], [[-1, -2, 3], [3, -1, -1], [-3, 3, 4]]]> : tensor<2x3x3xi8>
// args: dense<-3> : tensor<i8>
// expect: dense<"0xFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFFFF040404FDFD010101FD040404020202FDFFFFFFFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFD"> : tensor<4x3x7xi8>
!i8 = !quant.uniform<i8:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x3x3x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 1, 3, 3>, window_strides = array<i64: 1, 3, 1>, base_dilations = array<i64: 2, 3, 2>, window_dilations = array<i64: 1, 1, 1>, padding = dense<[[2, -1], [1, 1], [2, 2]]> : tensor<3x2xi64>} : (tensor<2x3x3x!i8>, tensor<!i8>) -> tensor<4x3x7x!i8>
    "func.return"(%0) : (tensor<4x3x7x!i8>) -> ()
  }) {function_type = (tensor<2x3x3x!i8>, tensor<!i8>) -> tensor<4x3x7x!i8>, sym_name = "main"} : () -> ()
}

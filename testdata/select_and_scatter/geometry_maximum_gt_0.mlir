// clause: select_and_scatter: window_strides, padding, ties and overlaps
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[2, 1, 0, 1, 2, 1]> : tensor<6xi8>
// args: dense<[-4, -4, -5]> : tensor<3xi8>
// args: dense<1> : tensor<i8>
// expect: dense<[1, 1, 1, 1, 1, 1]> : tensor<6xi8>
!i8 = !quant.uniform<i8:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<6x!i8>, %source: tensor<3x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[2, -1]]> : tensor<1x2xi64>} : (tensor<6x!i8>, tensor<3x!i8>, tensor<!i8>) -> tensor<6x!i8>
    "func.return"(%0) : (tensor<6x!i8>) -> ()
  }) {function_type = (tensor<6x!i8>, tensor<3x!i8>, tensor<!i8>) -> tensor<6x!i8>, sym_name = "main"} : () -> ()
}

// clause: select_and_scatter: ties in lexicographic order
// All are equal: the first index of the window.
// derivation: by hand: (0, 0) comes first.
// args: dense<[[5, 5], [5, 5]]> : tensor<2x2xi8>
// args: dense<[[7]]> : tensor<1x1xi8>
// args: dense<0> : tensor<i8>
// expect: dense<[[7, 0], [0, 0]]> : tensor<2x2xi8>
// wrong (the last of equals): dense<[[0, 0], [0, 7]]> : tensor<2x2xi8>
!i8 = !quant.uniform<i8:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<2x2x!i8>, %source: tensor<1x1x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 2, 2>} : (tensor<2x2x!i8>, tensor<1x1x!i8>, tensor<!i8>) -> tensor<2x2x!i8>
    "func.return"(%0) : (tensor<2x2x!i8>) -> ()
  }) {function_type = (tensor<2x2x!i8>, tensor<1x1x!i8>, tensor<!i8>) -> tensor<2x2x!i8>, sym_name = "main"} : () -> ()
}

// clause: select_and_scatter: every position of a window is compared
// A window of 35 = 32 + 3 elements, of which the last is the largest.
// derivation: by hand: 34 is the largest.
// args: dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34]> : tensor<35xi8>
// args: dense<[7]> : tensor<1xi8>
// args: dense<0> : tensor<i8>
// expect: dense<[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]> : tensor<35xi8>
// wrong (the rest after full vectors left out): dense<[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0]> : tensor<35xi8>
!i8 = !quant.uniform<i8:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<35x!i8>, %source: tensor<1x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 35>} : (tensor<35x!i8>, tensor<1x!i8>, tensor<!i8>) -> tensor<35x!i8>
    "func.return"(%0) : (tensor<35x!i8>) -> ()
  }) {function_type = (tensor<35x!i8>, tensor<1x!i8>, tensor<!i8>) -> tensor<35x!i8>, sym_name = "main"} : () -> ()
}

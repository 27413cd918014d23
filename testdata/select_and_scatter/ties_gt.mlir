// clause: select_and_scatter: select(a, b) ? a : b
// Of equals GT keeps the last.
// derivation: by hand: the first two are equal.
// args: dense<[3, 3, 1]> : tensor<3xi8>
// args: dense<[5]> : tensor<1xi8>
// args: dense<0> : tensor<i8>
// expect: dense<[0, 5, 0]> : tensor<3xi8>
// wrong (the other of equals): dense<[5, 0, 0]> : tensor<3xi8>
!i8 = !quant.uniform<i8:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<3x!i8>, %source: tensor<1x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 3>} : (tensor<3x!i8>, tensor<1x!i8>, tensor<!i8>) -> tensor<3x!i8>
    "func.return"(%0) : (tensor<3x!i8>) -> ()
  }) {function_type = (tensor<3x!i8>, tensor<1x!i8>, tensor<!i8>) -> tensor<3x!i8>, sym_name = "main"} : () -> ()
}

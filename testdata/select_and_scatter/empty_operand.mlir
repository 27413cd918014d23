// clause: select_and_scatter: no elements
// Nothing to select from, nothing to scatter into.
// derivation: by hand: shape (0).
// args: dense<> : tensor<0xi8>
// args: dense<> : tensor<0xi8>
// args: dense<3> : tensor<i8>
// expect: dense<> : tensor<0xi8>
!i8 = !quant.uniform<i8:f32, 0.5:3>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<0x!i8>, %source: tensor<0x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 1>} : (tensor<0x!i8>, tensor<0x!i8>, tensor<!i8>) -> tensor<0x!i8>
    "func.return"(%0) : (tensor<0x!i8>) -> ()
  }) {function_type = (tensor<0x!i8>, tensor<0x!i8>, tensor<!i8>) -> tensor<0x!i8>, sym_name = "main"} : () -> ()
}

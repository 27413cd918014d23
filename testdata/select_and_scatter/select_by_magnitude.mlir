// clause: select_and_scatter: select is any function
// -9 has the larger magnitude.
// derivation: by hand: |-4.5| >= |2.5|.
// args: dense<[-6, 8]> : tensor<2xi8>
// args: dense<[13]> : tensor<1xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[13, 3]> : tensor<2xi8>
// wrong (values compared): dense<[3, 13]> : tensor<2xi8>
!i8 = !quant.uniform<i8:f32, 0.5:3>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<2x!i8>, %source: tensor<1x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %x = "stablehlo.abs"(%a0) : (tensor<!i8>) -> tensor<!i8>
      %y = "stablehlo.abs"(%b0) : (tensor<!i8>) -> tensor<!i8>
      %p = "stablehlo.compare"(%x, %y) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<2x!i8>, tensor<1x!i8>, tensor<!i8>) -> tensor<2x!i8>
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<2x!i8>, tensor<1x!i8>, tensor<!i8>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}

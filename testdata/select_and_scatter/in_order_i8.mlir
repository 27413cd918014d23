// clause: exec(schedule): leaves in ascending order, the left operand first
// The body returns its second argument: every order gives the last element, or the init value where it comes
// last; none gives the first.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[0, -105, 74, 58, 17, 20, -57]> : tensor<7xi8>
// args: dense<[-48, -109, 95, 28, 17, 86, -119]> : tensor<7xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[-48, 3, 28, 17, 3, -119, 3]> : tensor<7xi8>
// permitted (init value last; init value first and last): dense<[3, 3, 3, 3, 3, 3, 3]> : tensor<7xi8>
// wrong (elements in descending order): dense<[-48, 3, -109, 17, 3, 86, 3]> : tensor<7xi8>
!i8 = !quant.uniform<i8:f32, 0.5:3>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i8>, %source: tensor<7x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      "stablehlo.return"(%b0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<7x!i8>
    "func.return"(%0) : (tensor<7x!i8>) -> ()
  }) {function_type = (tensor<7x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<7x!i8>, sym_name = "main"} : () -> ()
}

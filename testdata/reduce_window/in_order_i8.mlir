// clause: exec(schedule): leaves in ascending order, the left operand first
// The body returns its second argument: every order gives the last element, or the init value where it comes
// last; none gives the first.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[0, -105, 74, 58, 17, 20, -57]> : tensor<7xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[-105, 58, 20, 3]> : tensor<4xi8>
// permitted (init value last; init value first and last): dense<[3, 3, 3, 3]> : tensor<4xi8>
// wrong (elements in descending order): dense<[3, -105, 58, 20]> : tensor<4xi8>
// wrong (padding left out, as XLA): dense<[-105, 58, 20, -57]> : tensor<4xi8>
!i8 = !quant.uniform<i8:f32, 0.5:3>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      "stablehlo.return"(%b0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i8>
    "func.return"(%0) : (tensor<4x!i8>) -> ()
  }) {function_type = (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i8>, sym_name = "main"} : () -> ()
}

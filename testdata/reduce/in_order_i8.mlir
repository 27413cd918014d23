// clause: exec(schedule): leaves in ascending order, the left operand first
// The body returns its second argument: every order gives the last element, or the init value where it comes
// last; none gives the first.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[0, -105, 74, 58, 17, 20], [-57, -48, -109, 95, 28, 17]]> : tensor<2x6xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[20, 17]> : tensor<2xi8>
// permitted (init value last; init value first and last): dense<[3, 3]> : tensor<2xi8>
// wrong (elements in descending order): dense<[0, -57]> : tensor<2xi8>
!i8 = !quant.uniform<i8:f32, 0.5:3>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      "stablehlo.return"(%b0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i8>
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}

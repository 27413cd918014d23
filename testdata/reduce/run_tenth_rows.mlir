// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[6, -3, -4, 14, 11, 12, 2, -2, 4, -1, -4, 11, -3, 4, 14, 10, -2], [12, -3, -3, 6, 10, 9, -1, 4, 11, 4, -2, -4, 3, 7, 11, 4, 6], [1, 5, 14, 8, 13, 7, 2, 14, 11, 8, -2, -3, 4, -1, -4, 4, 10]]> : tensor<3x17xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[-13, -8, 9]> : tensor<3xi8>
!i8 = !quant.uniform<i8:f32, 0.1:5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3x17x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<3x17x!i8>, tensor<!i8>) -> tensor<3x!i8>
    "func.return"(%0) : (tensor<3x!i8>) -> ()
  }) {function_type = (tensor<3x17x!i8>, tensor<!i8>) -> tensor<3x!i8>, sym_name = "main"} : () -> ()
}

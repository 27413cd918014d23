// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[5, 4, 1, 14, 0, 1, 3, 8, -3, 0, 7, -3, -2, -2, 2, 10, 12], [6, -1, 9, 6, 4, 14, 8, 7, 7, -3, 13, 9, 6, 0, -4, 4, 11], [6, 4, 7, 7, 3, 10, 2, 9, 14, 9, 7, 5, -4, 12, 12, -1, 11]]> : tensor<3x17xi8>
// args: dense<13> : tensor<i8>
// expect: dense<[-13, 3, 11]> : tensor<3xi8>
!i8 = !quant.uniform<i8:f32, 0.3:5>
!i8_b = !quant.uniform<i8:f32, 0.7:-5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3x17x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8_b>, %b0: tensor<!i8_b>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8_b>, tensor<!i8_b>) -> tensor<!i8_b>
      "stablehlo.return"(%r0) : (tensor<!i8_b>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<3x17x!i8>, tensor<!i8>) -> tensor<3x!i8_b>
    "func.return"(%0) : (tensor<3x!i8_b>) -> ()
  }) {function_type = (tensor<3x17x!i8>, tensor<!i8>) -> tensor<3x!i8_b>, sym_name = "main"} : () -> ()
}

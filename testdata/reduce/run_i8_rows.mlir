// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[9, -6, 7, -8, -8, -1, -1, 7, 0, -4, 4, -2, -7, 6, -3, -6, -3], [-5, 7, 2, -4, -5, 2, 7, 0, 8, 2, -4, -8, -7, -7, -7, -9, -3], [2, 3, 8, -8, 2, -4, -5, 2, -7, -3, 8, 8, -7, -5, 2, 5, 0]]> : tensor<3x17xi8>
// args: dense<-6> : tensor<i8>
// expect: dense<[-22, -37, -5]> : tensor<3xi8>
!i8 = !quant.uniform<i8:f32, 0.5>
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

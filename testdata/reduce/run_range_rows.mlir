// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[6, -5, 0, 5, -3, -3, 0, -7, -1, 4, 0, -6, -3, 7, -5, -3, -6], [2, 0, -1, 1, -1, 0, 7, 1, 1, -8, -7, -2, -6, 2, -1, -2, 5], [-3, 7, -6, 1, -7, 6, 4, -3, 0, 0, -1, 4, 1, -8, -7, -7, -3]]> : tensor<3x17xi4>
// args: dense<-8> : tensor<i4>
// expect: dense<[-20, -16, -20]> : tensor<3xi8>
!i4 = !quant.uniform<i4:f32, 0.5:1>
!i8 = !quant.uniform<i8<-20:20>:f32, 0.5:3>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3x17x!i4>, %init: tensor<!i4>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<3x17x!i4>, tensor<!i4>) -> tensor<3x!i8>
    "func.return"(%0) : (tensor<3x!i8>) -> ()
  }) {function_type = (tensor<3x17x!i4>, tensor<!i4>) -> tensor<3x!i8>, sym_name = "main"} : () -> ()
}

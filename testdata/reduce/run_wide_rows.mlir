// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[11, -3, -4, 10, -1, 7, -3, -3, 5, -6, 2, 0, -4, -3, 7, 8, 6], [9, -6, 7, 12, 10, -2, 3, 7, 9, 0, 11, 7, 8, -3, 4, -4, -2], [-5, -4, -6, 2, 5, 3, 0, -4, 5, 2, 6, 0, 6, -5, 6, 0, 10]]> : tensor<3x17xi8>
// args: dense<-6> : tensor<i8>
// expect: dense<[-24, 17, -32]> : tensor<3xi16>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i16 = !quant.uniform<i16<-300:300>:f32, 0.5:7>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3x17x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<3x17x!i8>, tensor<!i8>) -> tensor<3x!i16>
    "func.return"(%0) : (tensor<3x!i16>) -> ()
  }) {function_type = (tensor<3x17x!i8>, tensor<!i8>) -> tensor<3x!i16>, sym_name = "main"} : () -> ()
}

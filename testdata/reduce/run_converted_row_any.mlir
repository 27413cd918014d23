// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[-121, -40, -20, 109, 63, 69, 85, 61, -126, 89, -101, -98, 123, -84, -19, -82, -47, -90, 111, 84, -123, 24, 87, 21, 85, 31, 91, -108, -29, 35, -53, 87, -46, -3, -39, -123, -56, 126, 40, 27]> : tensor<40xi8>
// args: dense<-98> : tensor<i8>
// expect: dense<-52> : tensor<i8>
!i8 = !quant.uniform<i8:f32, 0.3:5>
!i8_b = !quant.uniform<i8:f32, 0.7:-5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<40x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8_b>, %b0: tensor<!i8_b>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8_b>, tensor<!i8_b>) -> tensor<!i8_b>
      "stablehlo.return"(%r0) : (tensor<!i8_b>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<40x!i8>, tensor<!i8>) -> tensor<!i8_b>
    "func.return"(%0) : (tensor<!i8_b>) -> ()
  }) {function_type = (tensor<40x!i8>, tensor<!i8>) -> tensor<!i8_b>, sym_name = "main"} : () -> ()
}

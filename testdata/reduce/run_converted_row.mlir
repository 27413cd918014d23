// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[-4, 1, 2, 10, 7, 8, 9, 7, -4, 9, -3, -3, 11, -2, 2, -2, 1, 13, -2, 10, 9, -4, 5, 9, 5, 9, 5, 9, -3, 2, 6, 0, 14, 9, 1, 3, 1, -4, 0, 11]> : tensor<40xi8>
// args: dense<-3> : tensor<i8>
// expect: dense<-24> : tensor<i8>
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

// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[6, 10, -1, 12, 3, 2, -2, 0, 6, 6, -1, 8, -5, 3, 2, 4, 8, 2, 0, 1, 8, -4, 11, 7, -6, 8, 4, 8, 10, 11, -4, 3, -1, 3, 5, 0, 9, 5, 8, 1]> : tensor<40xi8>
// args: dense<0> : tensor<i8>
// expect: dense<34> : tensor<i16>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i16 = !quant.uniform<i16<-300:300>:f32, 0.5:7>
module {
  "func.func"() ({
  ^bb0(%input: tensor<40x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<40x!i8>, tensor<!i8>) -> tensor<!i16>
    "func.return"(%0) : (tensor<!i16>) -> ()
  }) {function_type = (tensor<40x!i8>, tensor<!i8>) -> tensor<!i16>, sym_name = "main"} : () -> ()
}

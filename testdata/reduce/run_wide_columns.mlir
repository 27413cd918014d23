// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[8, 1], [10, 8], [-4, 4], [-1, 0], [2, 2], [-1, -4], [12, 9], [12, 9], [7, -4], [5, -2], [5, 8], [1, 9], [7, 11], [-2, -5], [-4, 12], [4, -3], [-1, 1], [10, -2], [5, 4]]> : tensor<19x2xi8>
// args: dense<-4> : tensor<i8>
// expect: dense<[18, 1]> : tensor<2xi16>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i16 = !quant.uniform<i16<-300:300>:f32, 0.5:7>
module {
  "func.func"() ({
  ^bb0(%input: tensor<19x2x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<19x2x!i8>, tensor<!i8>) -> tensor<2x!i16>
    "func.return"(%0) : (tensor<2x!i16>) -> ()
  }) {function_type = (tensor<19x2x!i8>, tensor<!i8>) -> tensor<2x!i16>, sym_name = "main"} : () -> ()
}

// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[-5, -1, -3, 4, -1, 7, 1, -7, 0, -8, -4, 0, 7, -1, -8, 6, -8, -2, 6, 4, 1, 3, -1, 5, -1, 2, -3, -3, -7, 0, -8, -6, 2, 7, 5, -7, 4, -5, -2, 6]> : tensor<40xi4>
// args: dense<-6> : tensor<i4>
// expect: dense<-15> : tensor<i8>
!i4 = !quant.uniform<i4:f32, 0.5:1>
!i8 = !quant.uniform<i8<-20:20>:f32, 0.5:3>
module {
  "func.func"() ({
  ^bb0(%input: tensor<40x!i4>, %init: tensor<!i4>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<40x!i4>, tensor<!i4>) -> tensor<!i8>
    "func.return"(%0) : (tensor<!i8>) -> ()
  }) {function_type = (tensor<40x!i4>, tensor<!i4>) -> tensor<!i8>, sym_name = "main"} : () -> ()
}

// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[-8, -7], [-5, 6], [-8, 2], [4, -7], [6, -3], [-5, -3], [6, 4], [-2, 5], [-3, 2], [2, 0], [4, -2], [6, -7], [-6, -2], [0, 5], [5, -1], [-7, -6], [-7, -8], [3, 6], [4, 1]]> : tensor<19x2xi4>
// args: dense<-6> : tensor<i4>
// expect: dense<[-15, -15]> : tensor<2xi8>
!i4 = !quant.uniform<i4:f32, 0.5:1>
!i8 = !quant.uniform<i8<-20:20>:f32, 0.5:3>
module {
  "func.func"() ({
  ^bb0(%input: tensor<19x2x!i4>, %init: tensor<!i4>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<19x2x!i4>, tensor<!i4>) -> tensor<2x!i8>
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<19x2x!i4>, tensor<!i4>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}

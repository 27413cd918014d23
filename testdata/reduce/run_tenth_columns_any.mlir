// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[-118, -52], [12, 95], [-30, -31], [-19, -115], [-50, 18], [27, -86], [-116, -50], [-26, 18], [-109, -83], [-72, -63], [-33, 54], [26, 112], [106, 66], [-63, -122], [-78, 54], [-16, -98], [57, -124], [108, 54], [51, -54]]> : tensor<19x2xi8>
// args: dense<13> : tensor<i8>
// expect: dense<[73, -128]> : tensor<2xi8>
!i8 = !quant.uniform<i8:f32, 0.1:5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<19x2x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<19x2x!i8>, tensor<!i8>) -> tensor<2x!i8>
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<19x2x!i8>, tensor<!i8>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}

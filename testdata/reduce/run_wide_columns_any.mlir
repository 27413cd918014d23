// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[99, -12], [104, -88], [37, -35], [-24, 15], [15, -38], [-90, 112], [120, 84], [-95, 53], [-53, 61], [107, -4], [119, 93], [-64, -109], [-87, 33], [-79, -43], [-2, -61], [49, 40], [88, 10], [5, -16], [56, -121]]> : tensor<19x2xi8>
// args: dense<-91> : tensor<i8>
// expect: dense<[161, -170]> : tensor<2xi16>
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

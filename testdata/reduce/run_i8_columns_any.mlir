// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[-91, -48], [-100, -58], [35, 42], [-12, 1], [-74, -95], [0, 112], [-101, -126], [120, -93], [58, 37], [-123, 107], [-65, -95], [-24, 14], [-68, 12], [-125, 27], [-78, 10], [64, 126], [3, 62], [-55, 71], [121, 126]]> : tensor<19x2xi8>
// args: dense<78> : tensor<i8>
// expect: dense<[5, 127]> : tensor<2xi8>
!i8 = !quant.uniform<i8:f32, 0.5>
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

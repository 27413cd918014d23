// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[51, 67, 96, 43, -33, -119, 87, -74, -45, -20, 103, 116, -31, 25, -43, 28, 9], [-25, 103, -68, 78, -117, -30, -114, 98, 4, -124, -8, -125, -86, -20, 5, -76, -89], [-13, 23, -11, 35, 97, -102, -48, 35, 34, 9, 71, 66, -78, -96, -116, -29, -110]]> : tensor<3x17xi8>
// args: dense<-91> : tensor<i8>
// expect: dense<[127, 127, 117]> : tensor<3xi8>
!i8 = !quant.uniform<i8:f32, 0.5:-100>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3x17x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<3x17x!i8>, tensor<!i8>) -> tensor<3x!i8>
    "func.return"(%0) : (tensor<3x!i8>) -> ()
  }) {function_type = (tensor<3x17x!i8>, tensor<!i8>) -> tensor<3x!i8>, sym_name = "main"} : () -> ()
}

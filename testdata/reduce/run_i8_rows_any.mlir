// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[-74, -106, -111, 15, 7, 31, -43, 88, -14, -84, 121, -30, -70, -18, -49, 52, -34], [-53, 63, 19, 63, -33, -101, -89, -95, -82, -122, -18, 62, 78, -112, 56, -39, -52], [61, -90, -22, -85, -52, 50, 100, 29, 64, 115, -36, -52, -102, -125, 79, -58, -103]]> : tensor<3x17xi8>
// args: dense<-70> : tensor<i8>
// expect: dense<[-110, -128, -128]> : tensor<3xi8>
!i8 = !quant.uniform<i8:f32, 0.5>
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

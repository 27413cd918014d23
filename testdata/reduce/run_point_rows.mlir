// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[-98, -97, -93, -95, -99, -104, -109, -96, -106, -104, -92, -103, -95, -92, -94, -103, -100], [-104, -100, -101, -103, -95, -106, -97, -109, -103, -109, -93, -95, -101, -109, -91, -91, -102], [-109, -107, -103, -101, -106, -107, -102, -100, -102, -99, -95, -108, -93, -104, -99, -99, -101]]> : tensor<3x17xi8>
// args: dense<-107> : tensor<i8>
// expect: dense<[-87, -110, -124]> : tensor<3xi8>
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

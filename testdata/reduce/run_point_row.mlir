// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[-99, -102, -103, -107, -98, -95, -100, -107, -106, -99, -95, -104, -92, -92, -97, -99, -99, -100, -94, -95, -92, -98, -95, -106, -91, -98, -94, -98, -93, -101, -99, -91, -104, -96, -106, -103, -101, -99, -104, -92]> : tensor<40xi8>
// args: dense<-98> : tensor<i8>
// expect: dense<-42> : tensor<i8>
!i8 = !quant.uniform<i8:f32, 0.5:-100>
module {
  "func.func"() ({
  ^bb0(%input: tensor<40x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<40x!i8>, tensor<!i8>) -> tensor<!i8>
    "func.return"(%0) : (tensor<!i8>) -> ()
  }) {function_type = (tensor<40x!i8>, tensor<!i8>) -> tensor<!i8>, sym_name = "main"} : () -> ()
}

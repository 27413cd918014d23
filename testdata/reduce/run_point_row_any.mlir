// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[37, -3, -22, -89, 59, 107, 25, -95, -69, 44, 99, -36, 67, 32, 32, 30, 113, 106, 62, 98, -76, 58, 115, 52, 6, 47, -40, 86, -79, -22, 14, 47, -36, -7, 32, 18, 127, 126, -109, -39]> : tensor<40xi8>
// args: dense<60> : tensor<i8>
// expect: dense<127> : tensor<i8>
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

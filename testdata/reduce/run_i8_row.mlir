// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[0, -1, 3, -9, -8, 5, 4, -2, 4, 0, 8, 1, 3, 5, -7, 4, 2, 7, -5, -1, -5, -9, 7, 5, 2, 7, -8, 3, 5, -8, 7, -9, 8, -1, 0, 4, 6, -9, 9, 4]> : tensor<40xi8>
// args: dense<2> : tensor<i8>
// expect: dense<33> : tensor<i8>
!i8 = !quant.uniform<i8:f32, 0.5>
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

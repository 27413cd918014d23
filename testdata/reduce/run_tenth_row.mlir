// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[7, 2, 11, 0, 4, 2, 4, 12, -1, 7, 12, 12, 3, 10, 7, -3, 10, 3, 2, 6, -3, 6, 13, 11, 3, 9, 12, 2, 4, 5, 14, 14, 4, 11, 8, 11, 3, 10, 3, 8]> : tensor<40xi8>
// args: dense<14> : tensor<i8>
// expect: dense<72> : tensor<i8>
!i8 = !quant.uniform<i8:f32, 0.1:5>
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

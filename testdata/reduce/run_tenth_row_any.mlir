// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[54, -29, 125, -51, 14, -23, 10, -75, 55, -1, 102, 54, -97, 106, -6, -17, 45, -97, 39, 122, -3, 91, -22, 8, 22, 6, 124, 69, 124, -14, 103, -4, 65, -99, -72, -116, 115, 50, 121, -22]> : tensor<40xi8>
// args: dense<2> : tensor<i8>
// expect: dense<100> : tensor<i8>
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

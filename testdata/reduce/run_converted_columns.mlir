// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[11, 3], [-1, 4], [12, 13], [7, -1], [0, 1], [3, 6], [8, 3], [2, 7], [3, 1], [0, 7], [4, 12], [5, -4], [0, 2], [6, 3], [-3, 6], [0, 12], [4, -2], [0, 10], [-2, 4]]> : tensor<19x2xi8>
// args: dense<1> : tensor<i8>
// expect: dense<[-21, -12]> : tensor<2xi8>
!i8 = !quant.uniform<i8:f32, 0.3:5>
!i8_b = !quant.uniform<i8:f32, 0.7:-5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<19x2x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8_b>, %b0: tensor<!i8_b>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8_b>, tensor<!i8_b>) -> tensor<!i8_b>
      "stablehlo.return"(%r0) : (tensor<!i8_b>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<19x2x!i8>, tensor<!i8>) -> tensor<2x!i8_b>
    "func.return"(%0) : (tensor<2x!i8_b>) -> ()
  }) {function_type = (tensor<19x2x!i8>, tensor<!i8>) -> tensor<2x!i8_b>, sym_name = "main"} : () -> ()
}

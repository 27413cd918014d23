// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[-65, -117], [-2, 17], [-88, -6], [-99, -61], [33, -55], [-73, 43], [-82, -118], [-117, -53], [-96, -86], [66, -17], [-80, 33], [-40, -30], [-40, 59], [-126, 40], [12, 1], [102, -92], [-31, -39], [-3, 74], [-64, -127]]> : tensor<19x2xi8>
// args: dense<73> : tensor<i8>
// expect: dense<[127, 100]> : tensor<2xi8>
!i8 = !quant.uniform<i8:f32, 0.5:-100>
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

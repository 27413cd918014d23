// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[30, 12, -48, -61, -35, -13, 76, -103, -64, 59, -105, -95, -90, -17, 109, 35, -70], [81, 35, 12, 73, 48, 54, -98, 92, 47, -64, -125, 9, 125, 35, 10, 59, 52], [-9, 98, -23, 91, 94, 58, 29, -122, -66, 123, 29, -52, -103, 79, -108, 111, -124]]> : tensor<3x17xi8>
// args: dense<49> : tensor<i8>
// expect: dense<[-102, 127, 8]> : tensor<3xi8>
!i8 = !quant.uniform<i8:f32, 0.3:5>
!i8_b = !quant.uniform<i8:f32, 0.7:-5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3x17x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8_b>, %b0: tensor<!i8_b>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8_b>, tensor<!i8_b>) -> tensor<!i8_b>
      "stablehlo.return"(%r0) : (tensor<!i8_b>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<3x17x!i8>, tensor<!i8>) -> tensor<3x!i8_b>
    "func.return"(%0) : (tensor<3x!i8_b>) -> ()
  }) {function_type = (tensor<3x17x!i8>, tensor<!i8>) -> tensor<3x!i8_b>, sym_name = "main"} : () -> ()
}

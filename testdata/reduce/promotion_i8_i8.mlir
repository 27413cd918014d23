// clause: to_destination_type: elements and init are quantized(dequantized) to the body's type (erratum E2)
// Input and body have other scales and zero points: stored integers mean other numbers in the body.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[-21, 19, -12, 9, 0, 1], [26, -7, -8, -26, -27, -7]]> : tensor<2x6xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[-5, -16]> : tensor<2xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[-1, -46]> : tensor<2xi8>
// wrong (init value not converted): dense<[-2, -13]> : tensor<2xi8>
// wrong (converted without zero points): dense<[0, -12]> : tensor<2xi8>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i8_b = !quant.uniform<i8:f32, 2.0>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8_b>, %b0: tensor<!i8_b>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8_b>, tensor<!i8_b>) -> tensor<!i8_b>
      "stablehlo.return"(%r0) : (tensor<!i8_b>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i8_b>
    "func.return"(%0) : (tensor<2x!i8_b>) -> ()
  }) {function_type = (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i8_b>, sym_name = "main"} : () -> ()
}

// clause: to_destination_type: elements and init are quantized(dequantized) to the body's type (erratum E2)
// Input and body have other scales and zero points: stored integers mean other numbers in the body.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[9, -14, 31, 16, -2, -23], [11, 29, -20, -6, 26, 8]]> : tensor<2x6xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[-9, 40]> : tensor<2xi16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[74, 105]> : tensor<2xi16>
// wrong (init value not converted): dense<[3, 52]> : tensor<2xi16>
// wrong (converted without zero points): dense<[89, 137]> : tensor<2xi16>
!i8 = !quant.uniform<i8:bf16, 0.5:3>
!i16 = !quant.uniform<i16:bf16, 0.3:-9>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i16>
    "func.return"(%0) : (tensor<2x!i16>) -> ()
  }) {function_type = (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i16>, sym_name = "main"} : () -> ()
}

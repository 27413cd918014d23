// clause: to_destination_type: elements and init are quantized(dequantized) to the body's type (erratum E2)
// Input and body have other scales and zero points: stored integers mean other numbers in the body.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[7, -8, -8, -8, 7, -2], [7, -4, -8, 7, 7, 0]]> : tensor<2x6xi4>
// args: dense<1> : tensor<i4>
// expect: dense<[-28, 7]> : tensor<2xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[-23, -2]> : tensor<2xi8>
// wrong (init value not converted): dense<[-29, 6]> : tensor<2xi8>
// wrong (converted without zero points): dense<[-28, 6]> : tensor<2xi8>
!i4 = !quant.uniform<i4:f32, 0.5:1>
!i8 = !quant.uniform<i8:f32, 0.3:2>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i4>, %init: tensor<!i4>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i4>, tensor<!i4>) -> tensor<2x!i8>
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<2x6x!i4>, tensor<!i4>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}

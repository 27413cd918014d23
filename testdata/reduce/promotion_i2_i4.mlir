// clause: to_destination_type: elements and init are quantized(dequantized) to the body's type (erratum E2)
// Input and body have other scales and zero points: stored integers mean other numbers in the body.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[1, 1, 1, -2, 1, 1], [1, 1, -2, -2, 1, 1]]> : tensor<2x6xi2>
// args: dense<0> : tensor<i2>
// expect: dense<[3, 1]> : tensor<2xi4>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[7, 6]> : tensor<2xi4>
// wrong (init value not converted): dense<[4, 2]> : tensor<2xi4>
// wrong (converted without zero points): dense<[7, 7]> : tensor<2xi4>
!i2 = !quant.uniform<i2:f32, 1.0>
!i4 = !quant.uniform<i4:f32, 1.5:-1>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i2>, %init: tensor<!i2>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i4>, %b0: tensor<!i4>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i4>, tensor<!i4>) -> tensor<!i4>
      "stablehlo.return"(%r0) : (tensor<!i4>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i2>, tensor<!i2>) -> tensor<2x!i4>
    "func.return"(%0) : (tensor<2x!i4>) -> ()
  }) {function_type = (tensor<2x6x!i2>, tensor<!i2>) -> tensor<2x!i4>, sym_name = "main"} : () -> ()
}

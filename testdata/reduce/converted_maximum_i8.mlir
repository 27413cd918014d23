// clause: to_destination_type: elements and init are converted before the body sees them
// The scales differ: the largest stored integer is another number in the body's type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[78, -92, 5, -24, 37, -29], [90, 111, -119, 61, -20, 74]]> : tensor<2x6xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[38, 54]> : tensor<2xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[78, 111]> : tensor<2xi8>
// wrong (converted without zero points): dense<[39, 56]> : tensor<2xi8>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i8_b = !quant.uniform<i8:f32, 1.0>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8_b>, %b0: tensor<!i8_b>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<!i8_b>, tensor<!i8_b>) -> tensor<!i8_b>
      "stablehlo.return"(%r0) : (tensor<!i8_b>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i8_b>
    "func.return"(%0) : (tensor<2x!i8_b>) -> ()
  }) {function_type = (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i8_b>, sym_name = "main"} : () -> ()
}

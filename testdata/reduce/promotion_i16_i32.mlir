// clause: to_destination_type: elements and init are quantized(dequantized) to the body's type (erratum E2)
// Input and body have other scales and zero points: stored integers mean other numbers in the body.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[80, 99, 98, 107, 93, 75], [117, 80, 96, 93, 113, 107]]> : tensor<2x6xi16>
// args: dense<100> : tensor<i16>
// expect: dense<[-110, 70]> : tensor<2xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[352, 406]> : tensor<2xi32>
// wrong (init value not converted): dense<[-60, 120]> : tensor<2xi32>
// wrong (converted without zero points): dense<[1874, 2054]> : tensor<2xi32>
!i16 = !quant.uniform<i16:f32, 0.01:100>
!i32 = !quant.uniform<i32:f32, 0.003:50>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i16>, %init: tensor<!i16>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i16>, tensor<!i16>) -> tensor<2x!i32>
    "func.return"(%0) : (tensor<2x!i32>) -> ()
  }) {function_type = (tensor<2x6x!i16>, tensor<!i16>) -> tensor<2x!i32>, sym_name = "main"} : () -> ()
}

// clause: each operation rounds once in the expressed type
// Computed in f32, as StableHLO's passes do, and rounded only at the end, other integers come out.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[-40, 22, -55, 63, 12, 4], [-77, 17, -89, 59, 9, -1]]> : tensor<2x6xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[-23, -147]> : tensor<2xi16>
// permitted (balanced): dense<[-23, -148]> : tensor<2xi16>
// wrong (bf16 computed as f32): dense<[-22, -147]> : tensor<2xi16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[39, -49]> : tensor<2xi16>
!i8 = !quant.uniform<i8:bf16, 0.1:3>
!i16 = !quant.uniform<i16:bf16, 0.07:-5>
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

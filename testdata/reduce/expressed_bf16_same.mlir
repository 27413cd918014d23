// clause: each operation rounds once in the expressed type
// Computed in f32, as StableHLO's passes do, and rounded only at the end, other integers come out.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[25, 88, -3, -108, -53, 9], [-97, 127, 34, -119, 93, 77]]> : tensor<2x6xi8>
// args: dense<0> : tensor<i8>
// expect: dense<[-42, 114]> : tensor<2xi8>
// permitted (balanced): dense<[-9, 80]> : tensor<2xi8>
// wrong (bf16 computed as f32; accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[-42, 115]> : tensor<2xi8>
!i8 = !quant.uniform<i8:bf16, 0.3>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i8>
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}

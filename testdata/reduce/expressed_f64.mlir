// clause: each operation rounds once in the expressed type
// Computed in f32, as StableHLO's passes do, and rounded only at the end, other integers come out.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[-32272, -31822, -18845, 1093, -19781, 16308], [26613, -20745, 16263, 25303, -31150, 20916]]> : tensor<2x6xi16>
// args: dense<3> : tensor<i16>
// expect: dense<[-853370005, 371819995]> : tensor<2xi32>
// wrong (f64 computed as f32): dense<[-853370048, 371820032]> : tensor<2xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[-85286, 37233]> : tensor<2xi32>
!i16 = !quant.uniform<i16:f64, 0.1:3>
!i32 = !quant.uniform<i32:f64, 0.00001:-5>
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

// clause: each operation rounds once in the expressed type
// Computed in f32, as StableHLO's passes do, and rounded only at the end, other integers come out.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[0, -14, 78, -58, 25, 74, 87]> : tensor<7xi8>
// args: dense<[56, 121, 60, 107, 44, -63, 24]> : tensor<7xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[71, -5, 396, -5, -5, 54, -70]> : tensor<7xi16>
// wrong (bf16 computed as f32): dense<[71, -5, 394, -5, -5, 54, -69]> : tensor<7xi16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[64, 3, 308, 3, 3, 52, -26]> : tensor<7xi16>
// wrong (accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[71, -5, 395, -5, -5, 54, -70]> : tensor<7xi16>
!i8 = !quant.uniform<i8:bf16, 0.1:3>
!i16 = !quant.uniform<i16:bf16, 0.07:-5>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i8>, %source: tensor<7x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<7x!i16>
    "func.return"(%0) : (tensor<7x!i16>) -> ()
  }) {function_type = (tensor<7x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<7x!i16>, sym_name = "main"} : () -> ()
}

// clause: storage: u8 and ui8 are unsigned (erratum E11)
// Stored values at or above half of the range read as signed are negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[45403, 6781, 39866, 15620, 53128, 19954], [47359, 54535, 2055, 31478, 24320, 64009]]> : tensor<2x6xui16>
// args: dense<32768> : tensor<ui16>
// expect: dense<[-15856, 27148]> : tensor<2xi32>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[-278000, -234996]> : tensor<2xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[213520, 256524]> : tensor<2xi32>
!u16 = !quant.uniform<u16:f32, 0.5:32768>
!i32 = !quant.uniform<i32:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!u16>, %init: tensor<!u16>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!u16>, tensor<!u16>) -> tensor<2x!i32>
    "func.return"(%0) : (tensor<2x!i32>) -> ()
  }) {function_type = (tensor<2x6x!u16>, tensor<!u16>) -> tensor<2x!i32>, sym_name = "main"} : () -> ()
}

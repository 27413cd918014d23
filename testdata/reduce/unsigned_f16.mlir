// clause: storage: u8 and ui8 are unsigned (erratum E11)
// Stored values at or above half of the range read as signed are negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[200, 107, 136, 215, 104, 1], [30, 228, 74, 42, 92, 137]]> : tensor<2x6xui8>
// args: dense<10> : tensor<ui8>
// expect: dense<[713, 553]> : tensor<2xi16>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[-55, 41]> : tensor<2xi16>
!u8 = !quant.uniform<u8:f16, 0.5:10>
!i16 = !quant.uniform<i16:f16, 0.5:10>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!u8>, %init: tensor<!u8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!u8>, tensor<!u8>) -> tensor<2x!i16>
    "func.return"(%0) : (tensor<2x!i16>) -> ()
  }) {function_type = (tensor<2x6x!u8>, tensor<!u8>) -> tensor<2x!i16>, sym_name = "main"} : () -> ()
}

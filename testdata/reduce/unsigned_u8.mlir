// clause: storage: u8 and ui8 are unsigned (erratum E11)
// Stored values at or above half of the range read as signed are negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[221, 160, 61, 146, 66, 197], [227, 153, 198, 43, 96, 159]]> : tensor<2x6xui8>
// args: dense<1> : tensor<ui8>
// expect: dense<[845, 870]> : tensor<2xi16>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[-179, -154]> : tensor<2xi16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[852, 877]> : tensor<2xi16>
!u8 = !quant.uniform<u8:f32, 0.5:1>
!i16 = !quant.uniform<i16:f32, 0.5>
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

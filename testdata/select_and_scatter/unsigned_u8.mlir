// clause: storage: u8 and ui8 are unsigned (erratum E11)
// Stored values at or above half of the range read as signed are negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[221, 160, 61, 146, 66, 197, 227]> : tensor<7xui8>
// args: dense<[153, 198, 43, 96, 159, 52, 71]> : tensor<7xui8>
// args: dense<1> : tensor<ui8>
// expect: dense<[349, 42, 0, 95, 0, 158, 121]> : tensor<7xi16>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[-104, 0, -17, 0, 48, 0, 70]> : tensor<7xi16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[352, 44, 1, 97, 1, 160, 124]> : tensor<7xi16>
!u8 = !quant.uniform<u8:f32, 0.5:1>
!i16 = !quant.uniform<i16:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!u8>, %source: tensor<7x!u8>, %init_value: tensor<!u8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!u8>, %b0: tensor<!u8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!u8>, tensor<!u8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!u8>, tensor<7x!u8>, tensor<!u8>) -> tensor<7x!i16>
    "func.return"(%0) : (tensor<7x!i16>) -> ()
  }) {function_type = (tensor<7x!u8>, tensor<7x!u8>, tensor<!u8>) -> tensor<7x!i16>, sym_name = "main"} : () -> ()
}

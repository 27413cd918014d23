// clause: storage: u8 and ui8 are unsigned (erratum E11)
// Stored values at or above half of the range read as signed are negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[200, 107, 136, 215, 104, 1, 30]> : tensor<7xui8>
// args: dense<[228, 74, 42, 92, 137, 245, 183]> : tensor<7xui8>
// args: dense<10> : tensor<ui8>
// expect: dense<[292, 10, 10, 251, 245, 10, 183]> : tensor<7xi16>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[10, 68, 10, 10, -58, 10, -73]> : tensor<7xi16>
!u8 = !quant.uniform<u8:f16, 0.5:10>
!i16 = !quant.uniform<i16:f16, 0.5:10>
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

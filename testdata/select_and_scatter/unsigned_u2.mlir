// clause: storage: u8 and ui8 are unsigned (erratum E11)
// Stored values at or above half of the range read as signed are negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[1, 3, 3, 2, 1, 2, 1]> : tensor<7xui2>
// args: dense<[0, 3, 0, 2, 0, 3, 3]> : tensor<7xui2>
// args: dense<1> : tensor<ui2>
// expect: dense<[0, 0, 1, -1, 0, 4, 0]> : tensor<7xi8>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[-3, -1, 0, 0, -6, 0, -2]> : tensor<7xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[1, 4, 3, 1, 1, 7, 1]> : tensor<7xi8>
!u2 = !quant.uniform<u2:f32, 1.0:1>
!i8 = !quant.uniform<i8:f32, 1.0>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!u2>, %source: tensor<7x!u2>, %init_value: tensor<!u2>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!u2>, %b0: tensor<!u2>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!u2>, tensor<!u2>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!u2>, tensor<7x!u2>, tensor<!u2>) -> tensor<7x!i8>
    "func.return"(%0) : (tensor<7x!i8>) -> ()
  }) {function_type = (tensor<7x!u2>, tensor<7x!u2>, tensor<!u2>) -> tensor<7x!i8>, sym_name = "main"} : () -> ()
}

// clause: storage: u8 and ui8 are unsigned (erratum E11)
// Stored values at or above half of the range read as signed are negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[13, 3, 14, 1, 5, 1, 4]> : tensor<7xui4>
// args: dense<[5, 8, 3, 4, 5, 11, 13]> : tensor<7xui4>
// args: dense<3> : tensor<ui4>
// expect: dense<[2, 0, 6, 0, 10, 0, 10]> : tensor<7xi8>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[0, -9, 0, 0, -5, 0, -6]> : tensor<7xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[8, 3, 18, 3, 19, 3, 16]> : tensor<7xi8>
!u4 = !quant.uniform<u4:f32, 0.5:3>
!i8 = !quant.uniform<i8:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!u4>, %source: tensor<7x!u4>, %init_value: tensor<!u4>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!u4>, %b0: tensor<!u4>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!u4>, tensor<!u4>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!u4>, tensor<7x!u4>, tensor<!u4>) -> tensor<7x!i8>
    "func.return"(%0) : (tensor<7x!i8>) -> ()
  }) {function_type = (tensor<7x!u4>, tensor<7x!u4>, tensor<!u4>) -> tensor<7x!i8>, sym_name = "main"} : () -> ()
}

// clause: storage: u8 and ui8 are unsigned (erratum E11)
// Stored values at or above half of the range read as signed are negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[6, 13, 8, 1, 2, 7, 11]> : tensor<7xui4>
// args: dense<8> : tensor<ui4>
// expect: dense<[13, 3, -21, 11]> : tensor<4xi16>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[-83, -93, -53, -85]> : tensor<4xi16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[14, 9, -3, 13]> : tensor<4xi16>
!ui4 = !quant.uniform<ui4:f32, 0.5:8>
!i16 = !quant.uniform<i16:f32, 0.25:7>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!ui4>, %init: tensor<!ui4>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!ui4>, tensor<!ui4>) -> tensor<4x!i16>
    "func.return"(%0) : (tensor<4x!i16>) -> ()
  }) {function_type = (tensor<7x!ui4>, tensor<!ui4>) -> tensor<4x!i16>, sym_name = "main"} : () -> ()
}

// clause: storage: u8 and ui8 are unsigned (erratum E11)
// Stored values at or above half of the range read as signed are negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[45403, 6781, 39866, 15620, 53128, 19954, 47359]> : tensor<7xui16>
// args: dense<32768> : tensor<ui16>
// expect: dense<[-13352, -36037, -9602, 1777]> : tensor<4xi32>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[-209960, -167109, -140674, -194831]> : tensor<4xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[117720, 95035, 121470, 132849]> : tensor<4xi32>
!u16 = !quant.uniform<u16:f32, 0.5:32768>
!i32 = !quant.uniform<i32:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!u16>, %init: tensor<!u16>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!u16>, tensor<!u16>) -> tensor<4x!i32>
    "func.return"(%0) : (tensor<4x!i32>) -> ()
  }) {function_type = (tensor<7x!u16>, tensor<!u16>) -> tensor<4x!i32>, sym_name = "main"} : () -> ()
}

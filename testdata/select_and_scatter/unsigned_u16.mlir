// clause: storage: u8 and ui8 are unsigned (erratum E11)
// Stored values at or above half of the range read as signed are negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[45403, 6781, 39866, 15620, 53128, 19954, 47359]> : tensor<7xui16>
// args: dense<[54535, 2055, 31478, 24320, 64009, 23422, 51293]> : tensor<7xui16>
// args: dense<32768> : tensor<ui16>
// expect: dense<[-8946, 0, -1290, 0, 13447, 0, 18525]> : tensor<7xi32>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[-65536, -140018, -65536, -75274, -65536, -156188, -65536]> : tensor<7xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[89358, 32768, 64246, 32768, 144519, 32768, 84061]> : tensor<7xi32>
!u16 = !quant.uniform<u16:f32, 0.5:32768>
!i32 = !quant.uniform<i32:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!u16>, %source: tensor<7x!u16>, %init_value: tensor<!u16>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!u16>, %b0: tensor<!u16>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!u16>, tensor<!u16>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!u16>, tensor<7x!u16>, tensor<!u16>) -> tensor<7x!i32>
    "func.return"(%0) : (tensor<7x!i32>) -> ()
  }) {function_type = (tensor<7x!u16>, tensor<7x!u16>, tensor<!u16>) -> tensor<7x!i32>, sym_name = "main"} : () -> ()
}

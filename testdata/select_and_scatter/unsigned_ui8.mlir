// clause: storage: u8 and ui8 are unsigned (erratum E11)
// Stored values at or above half of the range read as signed are negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[197, 80, 115, 88, 238, 230, 166]> : tensor<7xui8>
// args: dense<[132, 105, 194, 235, 12, 174, 148]> : tensor<7xui8>
// args: dense<128> : tensor<ui8>
// expect: dense<[109, 128, 194, 128, 165, 148, 128]> : tensor<7xi32>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[-128, -380, -490, -244, -338, -364, -128]> : tensor<7xi32>
!ui8 = !quant.uniform<ui8:f32, 0.25:128>
!i32 = !quant.uniform<i32:f32, 0.25:128>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!ui8>, %source: tensor<7x!ui8>, %init_value: tensor<!ui8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!ui8>, %b0: tensor<!ui8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!ui8>, tensor<!ui8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!ui8>, tensor<7x!ui8>, tensor<!ui8>) -> tensor<7x!i32>
    "func.return"(%0) : (tensor<7x!i32>) -> ()
  }) {function_type = (tensor<7x!ui8>, tensor<7x!ui8>, tensor<!ui8>) -> tensor<7x!i32>, sym_name = "main"} : () -> ()
}

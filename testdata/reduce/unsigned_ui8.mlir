// clause: storage: u8 and ui8 are unsigned (erratum E11)
// Stored values at or above half of the range read as signed are negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[197, 80, 115, 88, 238, 230], [166, 132, 105, 194, 235, 12]]> : tensor<2x6xui8>
// args: dense<128> : tensor<ui8>
// expect: dense<[308, 204]> : tensor<2xi32>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[-716, -1076]> : tensor<2xi32>
!ui8 = !quant.uniform<ui8:f32, 0.25:128>
!i32 = !quant.uniform<i32:f32, 0.25:128>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!ui8>, %init: tensor<!ui8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!ui8>, tensor<!ui8>) -> tensor<2x!i32>
    "func.return"(%0) : (tensor<2x!i32>) -> ()
  }) {function_type = (tensor<2x6x!ui8>, tensor<!ui8>) -> tensor<2x!i32>, sym_name = "main"} : () -> ()
}

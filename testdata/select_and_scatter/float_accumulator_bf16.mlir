// clause: add: the quantized sum goes through the expressed type
// The sums need more bits than the expressed type has: integers, or one exact sum, keep ones that it loses.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[8038, 7109, -30177, 2880, -18271, -24996, 19893]> : tensor<7xi16>
// args: dense<[18568, -10538, 10280, 24251, -22770, -6967, -14314]> : tensor<7xi16>
// args: dense<0> : tensor<i16>
// expect: dense<[8000, 10304, 0, 1408, 0, 0, -21248]> : tensor<7xi32>
// wrong (accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[8000, 10304, 0, 1408, 0, 0, -21312]> : tensor<7xi32>
!i16 = !quant.uniform<i16:bf16, 1.0>
!i32 = !quant.uniform<i32:bf16, 1.0>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i16>, %source: tensor<7x!i16>, %init_value: tensor<!i16>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i16>, tensor<!i16>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i16>, tensor<7x!i16>, tensor<!i16>) -> tensor<7x!i32>
    "func.return"(%0) : (tensor<7x!i32>) -> ()
  }) {function_type = (tensor<7x!i16>, tensor<7x!i16>, tensor<!i16>) -> tensor<7x!i32>, sym_name = "main"} : () -> ()
}

// clause: add: the quantized sum goes through the expressed type
// The sums need more bits than the expressed type has: integers, or one exact sum, keep ones that it loses.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[297329783, 1359297030, 732081113, 1520485836, 1700712874, -433035116, -1504476961]> : tensor<7xi32>
// args: dense<[-1672707796, -761202734, 1973564601, -1440269140, 434808600, 241269452, 584754121]> : tensor<7xi32>
// args: dense<0> : tensor<i32>
// expect: dense<[0, -2147483648, 0, 1973564544, -764191168, 584754112, 0]> : tensor<7xi32>
// permitted (balanced): dense<[0, -2147483648, 0, 1973564544, -764191104, 584754112, 0]> : tensor<7xi32>
// wrong (accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[0, 1861056766, 0, 1973564601, -764191088, 584754121, 0]> : tensor<7xi32>
!i32 = !quant.uniform<i32:f32, 1.0>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i32>, %source: tensor<7x!i32>, %init_value: tensor<!i32>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i32>, tensor<!i32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i32>, tensor<7x!i32>, tensor<!i32>) -> tensor<7x!i32>
    "func.return"(%0) : (tensor<7x!i32>) -> ()
  }) {function_type = (tensor<7x!i32>, tensor<7x!i32>, tensor<!i32>) -> tensor<7x!i32>, sym_name = "main"} : () -> ()
}

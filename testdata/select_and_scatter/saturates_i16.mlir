// clause: quantize: saturate at the storage bounds
// Sums leave the storage type; wrapping, as integers do, gives another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[26027, 26922, -31493, 29392, 28621, -30294, 31189]> : tensor<7xi16>
// args: dense<[-28663, 27457, -30610, 26833, 32403, -26077, -25439]> : tensor<7xi16>
// args: dense<5> : tensor<i16>
// expect: dense<[5, -1211, 5, 28616, 5, 5, -32768]> : tensor<7xi16>
// permitted (balanced): dense<[5, -1211, 5, 2152, 5, 5, -32768]> : tensor<7xi16>
// wrong (wrapped instead of saturated): dense<[5, -1211, 5, 28616, 5, 5, 14015]> : tensor<7xi16>
!i16 = !quant.uniform<i16:f32, 0.01:5>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i16>, %source: tensor<7x!i16>, %init_value: tensor<!i16>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i16>, tensor<!i16>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i16>, tensor<7x!i16>, tensor<!i16>) -> tensor<7x!i16>
    "func.return"(%0) : (tensor<7x!i16>) -> ()
  }) {function_type = (tensor<7x!i16>, tensor<7x!i16>, tensor<!i16>) -> tensor<7x!i16>, sym_name = "main"} : () -> ()
}

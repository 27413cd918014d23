// clause: to_destination_type: elements and init are quantized(dequantized) to the body's type (erratum E2)
// Input and body have other scales and zero points: stored integers mean other numbers in the body.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[80, 99, 98, 107, 93, 75, 117]> : tensor<7xi16>
// args: dense<[80, 96, 93, 113, 107, 110, 117]> : tensor<7xi16>
// args: dense<100> : tensor<i16>
// expect: dense<[50, -30, 50, 93, 50, 50, 140]> : tensor<7xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[100, 176, 100, 263, 100, 100, 227]> : tensor<7xi32>
// wrong (init value not converted): dense<[100, 20, 100, 143, 100, 100, 190]> : tensor<7xi32>
// wrong (converted without zero points): dense<[333, 820, 333, 1227, 333, 333, 990]> : tensor<7xi32>
!i16 = !quant.uniform<i16:f32, 0.01:100>
!i32 = !quant.uniform<i32:f32, 0.003:50>
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

// clause: to_destination_type: elements and init are quantized(dequantized) to the body's type (erratum E2)
// Input and body have other scales and zero points: stored integers mean other numbers in the body.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[1, 1, 1, -2, 1, 1, 1]> : tensor<7xi2>
// args: dense<[1, -2, -2, 1, 1, 1, -2]> : tensor<7xi2>
// args: dense<0> : tensor<i2>
// expect: dense<[-1, -2, 0, -1, 1, -2, -1]> : tensor<7xi4>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[1, -1, 2, 0, 4, -1, 0]> : tensor<7xi4>
// wrong (init value not converted): dense<[0, -1, 1, 0, 2, -1, 0]> : tensor<7xi4>
// wrong (converted without zero points): dense<[2, 0, 2, 0, 4, 0, 0]> : tensor<7xi4>
!i2 = !quant.uniform<i2:f32, 1.0>
!i4 = !quant.uniform<i4:f32, 1.5:-1>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i2>, %source: tensor<7x!i2>, %init_value: tensor<!i2>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i2>, %b0: tensor<!i2>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i2>, tensor<!i2>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i4>, %b0: tensor<!i4>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i4>, tensor<!i4>) -> tensor<!i4>
      "stablehlo.return"(%r0) : (tensor<!i4>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i2>, tensor<7x!i2>, tensor<!i2>) -> tensor<7x!i4>
    "func.return"(%0) : (tensor<7x!i4>) -> ()
  }) {function_type = (tensor<7x!i2>, tensor<7x!i2>, tensor<!i2>) -> tensor<7x!i4>, sym_name = "main"} : () -> ()
}

// clause: to_destination_type: elements and init are quantized(dequantized) to the body's type (erratum E2)
// Input and body have other scales and zero points: stored integers mean other numbers in the body.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[7, -8, -8, -8, 7, -2, 7]> : tensor<7xi4>
// args: dense<[-4, -8, 7, 7, 0, 7, -8]> : tensor<7xi4>
// args: dense<1> : tensor<i4>
// expect: dense<[-21, 12, 2, 2, 20, 2, -13]> : tensor<7xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[-15, 6, 1, 1, 9, 1, -9]> : tensor<7xi8>
// wrong (init value not converted): dense<[-22, 11, 1, 1, 19, 1, -14]> : tensor<7xi8>
// wrong (converted without zero points): dense<[-22, 12, 2, 2, 20, 2, -13]> : tensor<7xi8>
!i4 = !quant.uniform<i4:f32, 0.5:1>
!i8 = !quant.uniform<i8:f32, 0.3:2>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i4>, %source: tensor<7x!i4>, %init_value: tensor<!i4>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i4>, %b0: tensor<!i4>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i4>, tensor<!i4>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i4>, tensor<7x!i4>, tensor<!i4>) -> tensor<7x!i8>
    "func.return"(%0) : (tensor<7x!i8>) -> ()
  }) {function_type = (tensor<7x!i4>, tensor<7x!i4>, tensor<!i4>) -> tensor<7x!i8>, sym_name = "main"} : () -> ()
}

// clause: to_destination_type: elements and init are quantized(dequantized) to the body's type (erratum E2)
// Input and body have other scales and zero points: stored integers mean other numbers in the body.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-21, 19, -12, 9, 0, 1, 26]> : tensor<7xi8>
// args: dense<[-7, -8, -26, -27, -7, 26, 8]> : tensor<7xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[0, -12, 0, -10, 0, 0, 7]> : tensor<7xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[3, -38, 3, -31, 3, 3, 37]> : tensor<7xi8>
// wrong (init value not converted): dense<[3, -9, 3, -7, 3, 3, 10]> : tensor<7xi8>
// wrong (converted without zero points): dense<[1, -9, 1, -8, 1, 1, 9]> : tensor<7xi8>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i8_b = !quant.uniform<i8:f32, 2.0>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i8>, %source: tensor<7x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i8_b>, %b0: tensor<!i8_b>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8_b>, tensor<!i8_b>) -> tensor<!i8_b>
      "stablehlo.return"(%r0) : (tensor<!i8_b>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<7x!i8_b>
    "func.return"(%0) : (tensor<7x!i8_b>) -> ()
  }) {function_type = (tensor<7x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<7x!i8_b>, sym_name = "main"} : () -> ()
}

// clause: to_destination_type: elements and init are quantized(dequantized) to the body's type (erratum E2)
// Input and body have other scales and zero points: stored integers mean other numbers in the body.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[22, -17, 12, -25, 12, 17, -14]> : tensor<7xi8>
// args: dense<[32, 31, -26, -19, 25, 21, 23]> : tensor<7xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[12, -7, -24, -7, -7, 13, -7]> : tensor<7xi16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[80, 3, -28, 3, 3, 93, 3]> : tensor<7xi16>
// wrong (init value not converted): dense<[22, 3, -14, 3, 3, 23, 3]> : tensor<7xi16>
// wrong (converted without zero points): dense<[36, 1, 0, 1, 1, 45, 1]> : tensor<7xi16>
!i8 = !quant.uniform<i8:f32, 0.1:3>
!i16 = !quant.uniform<i16:f32, 0.3:-7>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i8>, %source: tensor<7x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<7x!i16>
    "func.return"(%0) : (tensor<7x!i16>) -> ()
  }) {function_type = (tensor<7x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<7x!i16>, sym_name = "main"} : () -> ()
}

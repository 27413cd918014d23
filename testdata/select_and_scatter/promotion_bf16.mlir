// clause: to_destination_type: elements and init are quantized(dequantized) to the body's type (erratum E2)
// Input and body have other scales and zero points: stored integers mean other numbers in the body.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[9, -14, 31, 16, -2, -23, 11]> : tensor<7xi8>
// args: dense<[29, -20, -6, 26, 8, -2, -5]> : tensor<7xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[34, -9, -24, -1, -9, -9, -30]> : tensor<7xi16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[41, 3, 30, 20, 3, 3, 14]> : tensor<7xi16>
// wrong (init value not converted): dense<[46, 3, -12, 11, 3, 3, -18]> : tensor<7xi16>
// wrong (converted without zero points): dense<[62, 5, 32, 27, 5, 5, 12]> : tensor<7xi16>
!i8 = !quant.uniform<i8:bf16, 0.5:3>
!i16 = !quant.uniform<i16:bf16, 0.3:-9>
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

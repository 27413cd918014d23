// clause: to_destination_type: elements and init are quantized(dequantized) to the body's type (erratum E2)
// Input and body have other scales and zero points: stored integers mean other numbers in the body.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[15, 0, 15, 2, 10, 15, 15]> : tensor<7xui4>
// args: dense<[15, 0, 0, 15, 15, 15, 0]> : tensor<7xui4>
// args: dense<8> : tensor<ui4>
// expect: dense<[-1, 0, -1, 0, 0, 11, 0]> : tensor<7xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[23, 8, 23, 8, 8, 38, 8]> : tensor<7xi8>
// wrong (init value not converted): dense<[7, 8, 7, 8, 8, 19, 8]> : tensor<7xi8>
// wrong (converted without zero points): dense<[38, 13, 38, 13, 13, 63, 13]> : tensor<7xi8>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[-27, -55, -27, -70, -27, -55, -27]> : tensor<7xi8>
!u4 = !quant.uniform<u4:f32, 0.5:8>
!i8 = !quant.uniform<i8:f32, 0.3>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!u4>, %source: tensor<7x!u4>, %init_value: tensor<!u4>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!u4>, %b0: tensor<!u4>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!u4>, tensor<!u4>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!u4>, tensor<7x!u4>, tensor<!u4>) -> tensor<7x!i8>
    "func.return"(%0) : (tensor<7x!i8>) -> ()
  }) {function_type = (tensor<7x!u4>, tensor<7x!u4>, tensor<!u4>) -> tensor<7x!i8>, sym_name = "main"} : () -> ()
}

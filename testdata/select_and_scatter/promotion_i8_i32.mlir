// clause: to_destination_type: elements and init are quantized(dequantized) to the body's type (erratum E2)
// Input and body have other scales and zero points: stored integers mean other numbers in the body.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[29, 30, -1, 4, -7, -1, 15]> : tensor<7xi8>
// args: dense<[-2, -27, -10, 26, 20, 20, -20]> : tensor<7xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[0, -96, 0, 80, 0, 0, -12]> : tensor<7xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[3, -36, 3, 49, 3, 3, 3]> : tensor<7xi32>
// wrong (init value not converted): dense<[3, -93, 3, 83, 3, 3, -9]> : tensor<7xi32>
// wrong (converted without zero points): dense<[6, -72, 6, 98, 6, 6, 6]> : tensor<7xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.25>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i8>, %source: tensor<7x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<7x!i32>
    "func.return"(%0) : (tensor<7x!i32>) -> ()
  }) {function_type = (tensor<7x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<7x!i32>, sym_name = "main"} : () -> ()
}

// clause: to_destination_type: elements and init are converted before the body sees them
// The scales differ: the largest stored integer is another number in the body's type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[78, -92, 5, -24, 37, -29, 90]> : tensor<7xi8>
// args: dense<[111, -119, 61, -20, 74, -37, -25]> : tensor<7xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[54, 0, 29, 0, 36, 0, 0]> : tensor<7xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[111, 3, 61, 3, 74, 3, 3]> : tensor<7xi8>
// wrong (converted without zero points): dense<[56, 2, 30, 2, 37, 2, 2]> : tensor<7xi8>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i8_b = !quant.uniform<i8:f32, 1.0>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i8>, %source: tensor<7x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i8_b>, %b0: tensor<!i8_b>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<!i8_b>, tensor<!i8_b>) -> tensor<!i8_b>
      "stablehlo.return"(%r0) : (tensor<!i8_b>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<7x!i8_b>
    "func.return"(%0) : (tensor<7x!i8_b>) -> ()
  }) {function_type = (tensor<7x!i8>, tensor<7x!i8>, tensor<!i8>) -> tensor<7x!i8_b>, sym_name = "main"} : () -> ()
}

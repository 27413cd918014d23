// clause: to_destination_type: source and init are converted to scatter's type
// The sum does not fit i8.
// derivation: by hand: 97 + 97 in steps of 0.5.
// args: dense<[3, 9, 3]> : tensor<3xi8>
// args: dense<[100, 100]> : tensor<2xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[0, 194, 0]> : tensor<3xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[3, 203, 3]> : tensor<3xi32>
// wrong (init value not converted): dense<[3, 197, 3]> : tensor<3xi32>
// wrong (an i8 accumulator): dense<[0, 124, 0]> : tensor<3xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<3x!i8>, %source: tensor<2x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<3x!i8>, tensor<2x!i8>, tensor<!i8>) -> tensor<3x!i32>
    "func.return"(%0) : (tensor<3x!i32>) -> ()
  }) {function_type = (tensor<3x!i8>, tensor<2x!i8>, tensor<!i8>) -> tensor<3x!i32>, sym_name = "main"} : () -> ()
}

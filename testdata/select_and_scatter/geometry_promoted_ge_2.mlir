// clause: select_and_scatter: window_strides, padding, ties and overlaps
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[[1, 1], [0, 0], [1, 1]]]> : tensor<1x3x2xi8>
// args: dense<[[[4, -1, -1, 1]], [[6, -2, 1, 6]]]> : tensor<2x1x4xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[[[-8, -10], [-2, -2], [-2, -2]]]> : tensor<1x3x2xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.25:-2>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<1x3x2x!i8>, %source: tensor<2x1x4x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 2, 3, 2>, window_strides = array<i64: 2, 1, 1>, padding = dense<[[1, 2], [0, 0], [1, 2]]> : tensor<3x2xi64>} : (tensor<1x3x2x!i8>, tensor<2x1x4x!i8>, tensor<!i8>) -> tensor<1x3x2x!i32>
    "func.return"(%0) : (tensor<1x3x2x!i32>) -> ()
  }) {function_type = (tensor<1x3x2x!i8>, tensor<2x1x4x!i8>, tensor<!i8>) -> tensor<1x3x2x!i32>, sym_name = "main"} : () -> ()
}

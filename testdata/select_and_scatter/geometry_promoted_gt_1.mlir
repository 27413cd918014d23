// clause: select_and_scatter: window_strides, padding, ties and overlaps
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[0, 2, 1, 1], [2, 1, 0, 2], [0, 1, 2, 2], [1, 2, 2, 2], [2, 1, 0, 0]]> : tensor<5x4xi8>
// args: dense<[[7, 5, 7], [8, 7, 8], [5, 0, 0], [-2, 1, -1], [5, 5, 5]]> : tensor<5x3xi8>
// args: dense<5> : tensor<i8>
// expect: dense<[[2, 22, 2, 2], [20, 2, 2, 12], [2, 6, -4, -4], [2, -8, -2, -6], [10, 6, 2, 2]]> : tensor<5x4xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.25:-2>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<5x4x!i8>, %source: tensor<5x3x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>} : (tensor<5x4x!i8>, tensor<5x3x!i8>, tensor<!i8>) -> tensor<5x4x!i32>
    "func.return"(%0) : (tensor<5x4x!i32>) -> ()
  }) {function_type = (tensor<5x4x!i8>, tensor<5x3x!i8>, tensor<!i8>) -> tensor<5x4x!i32>, sym_name = "main"} : () -> ()
}

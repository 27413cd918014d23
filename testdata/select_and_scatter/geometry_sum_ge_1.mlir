// clause: select_and_scatter: window_strides, padding, ties and overlaps
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[0], [0], [0], [2]]> : tensor<4x1xi32>
// args: dense<[[5], [1], [-2], [-3], [-5], [4], [1]]> : tensor<7x1xi32>
// args: dense<5> : tensor<i32>
// expect: dense<[[5], [5], [5], [5]]> : tensor<4x1xi32>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<4x1xi32>, %source: tensor<7x1xi32>, %init_value: tensor<i32>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 1, 2>, padding = dense<[[2, 2], [2, -1]]> : tensor<2x2xi64>} : (tensor<4x1xi32>, tensor<7x1xi32>, tensor<i32>) -> tensor<4x1xi32>
    "func.return"(%0) : (tensor<4x1xi32>) -> ()
  }) {function_type = (tensor<4x1xi32>, tensor<7x1xi32>, tensor<i32>) -> tensor<4x1xi32>, sym_name = "main"} : () -> ()
}

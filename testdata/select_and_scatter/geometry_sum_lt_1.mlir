// clause: select_and_scatter: window_strides, padding, ties and overlaps
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[2, 2, 1, 2, 1], [2, 1, 0, 2, 0], [2, 2, 0, 2, 2]]> : tensor<3x5xi32>
// args: dense<[[-3, 4, -4], [0, 2, -2], [1, -1, 0], [0, 2, -3]]> : tensor<4x3xi32>
// args: dense<-1> : tensor<i32>
// expect: dense<[[-1, -1, -4, -1, -1], [-1, -1, -1, -1, -1], [-1, -1, 1, -1, -4]]> : tensor<3x5xi32>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<3x5xi32>, %source: tensor<4x3xi32>, %init_value: tensor<i32>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 1>, padding = dense<[[1, 1], [-1, 1]]> : tensor<2x2xi64>} : (tensor<3x5xi32>, tensor<4x3xi32>, tensor<i32>) -> tensor<3x5xi32>
    "func.return"(%0) : (tensor<3x5xi32>) -> ()
  }) {function_type = (tensor<3x5xi32>, tensor<4x3xi32>, tensor<i32>) -> tensor<3x5xi32>, sym_name = "main"} : () -> ()
}

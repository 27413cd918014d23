// clause: select_and_scatter: window_strides, padding, ties and overlaps
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[0, 1, 1, 0]> : tensor<4xi32>
// args: dense<[3, -1]> : tensor<2xi32>
// args: dense<-5> : tensor<i32>
// expect: dense<[-2, -5, -5, -6]> : tensor<4xi32>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<4xi32>, %source: tensor<2xi32>, %init_value: tensor<i32>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<4xi32>, tensor<2xi32>, tensor<i32>) -> tensor<4xi32>
    "func.return"(%0) : (tensor<4xi32>) -> ()
  }) {function_type = (tensor<4xi32>, tensor<2xi32>, tensor<i32>) -> tensor<4xi32>, sym_name = "main"} : () -> ()
}

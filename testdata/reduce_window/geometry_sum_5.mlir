// clause: reduce_window: window_strides, both dilations, padding
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[[-2], [4]], [[4], [2]]]> : tensor<2x2x1xi32>
// args: dense<-3> : tensor<i32>
// expect: dense<[[[-21]], [[-21]], [[-21]], [[-21]]]> : tensor<4x1x1xi32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x2x1xi32>, %init: tensor<i32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 1, 2, 3>, window_strides = array<i64: 2, 3, 3>, base_dilations = array<i64: 2, 1, 3>, window_dilations = array<i64: 1, 1, 1>, padding = dense<[[2, 2], [2, -1], [2, 2]]> : tensor<3x2xi64>} : (tensor<2x2x1xi32>, tensor<i32>) -> tensor<4x1x1xi32>
    "func.return"(%0) : (tensor<4x1x1xi32>) -> ()
  }) {function_type = (tensor<2x2x1xi32>, tensor<i32>) -> tensor<4x1x1xi32>, sym_name = "main"} : () -> ()
}

// clause: reduce_window: window_strides, both dilations, padding
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[[5, 7], [8, 4], [5, 3]], [[7, 0], [8, 3], [2, -2]], [[6, 6], [1, 6], [7, 7]]]> : tensor<3x3x2xi8>
// args: dense<-2> : tensor<i8>
// expect: dense<[[[-32], [-32]], [[-22], [-32]]]> : tensor<2x2x1xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.25:-2>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3x3x2x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 1, 2, 1>, window_strides = array<i64: 3, 2, 2>, base_dilations = array<i64: 1, 2, 1>, window_dilations = array<i64: 1, 1, 1>, padding = dense<[[2, 0], [-1, 1], [-1, 0]]> : tensor<3x2xi64>} : (tensor<3x3x2x!i8>, tensor<!i8>) -> tensor<2x2x1x!i32>
    "func.return"(%0) : (tensor<2x2x1x!i32>) -> ()
  }) {function_type = (tensor<3x3x2x!i8>, tensor<!i8>) -> tensor<2x2x1x!i32>, sym_name = "main"} : () -> ()
}

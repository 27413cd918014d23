// clause: reduce_window: window_strides, both dilations, padding
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[1, 5, 3], [8, -1, 8], [-1, 0, 4]]> : tensor<3x3xi8>
// args: dense<[[-2, 5, -2], [-1, 3, 5], [5, 3, -2]]> : tensor<3x3xi32>
// args: dense<3> : tensor<i8>
// args: dense<-2> : tensor<i32>
// expect: dense<[[3, 3, 3, 5, 5, 3, 3], [3, 8, 8, 3, 3, 8, 8], [3, 3, 3, 3, 3, 4, 4]]> : tensor<3x7xi8>
// expect: dense<[[-2, -2, -2, 5, 5, -2, -2], [-2, -1, -1, -2, -2, 5, 5], [-2, -2, -2, -2, -2, -2, -2]]> : tensor<3x7xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
module {
  "func.func"() ({
  ^bb0(%input0: tensor<3x3x!i8>, %input1: tensor<3x3xi32>, %init0: tensor<!i8>, %init1: tensor<i32>):
    %0:2 = "stablehlo.reduce_window"(%input0, %input1, %init0, %init1) ({
    ^bb0(%a0: tensor<!i8>, %a1: tensor<i32>, %b0: tensor<!i8>, %b1: tensor<i32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      %v = "stablehlo.select"(%p, %a0, %b0) : (tensor<i1>, tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      %i = "stablehlo.select"(%p, %a1, %b1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%v, %i) : (tensor<!i8>, tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 2, 2>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [2, 1]]> : tensor<2x2xi64>} : (tensor<3x3x!i8>, tensor<3x3xi32>, tensor<!i8>, tensor<i32>) -> (tensor<3x7x!i8>, tensor<3x7xi32>)
    "func.return"(%0#0, %0#1) : (tensor<3x7x!i8>, tensor<3x7xi32>) -> ()
  }) {function_type = (tensor<3x3x!i8>, tensor<3x3xi32>, tensor<!i8>, tensor<i32>) -> (tensor<3x7x!i8>, tensor<3x7xi32>), sym_name = "main"} : () -> ()
}

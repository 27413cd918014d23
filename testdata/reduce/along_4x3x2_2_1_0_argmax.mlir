// clause: reduce: the slices along dimensions, in ascending order
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[[8, 5], [6, 7], [3, 6]], [[6, 5], [8, 7], [1, -1]], [[4, -1], [5, 6], [8, -2]], [[7, -2], [1, 3], [2, 0]]]> : tensor<4x3x2xi8>
// args: dense<[[[0, -1], [-1, 4], [5, 1]], [[4, -1], [0, -1], [3, 1]], [[-2, -3], [2, -1], [-2, -4]], [[-3, 3], [5, -5], [4, 4]]]> : tensor<4x3x2xi32>
// args: dense<2> : tensor<i8>
// args: dense<-2> : tensor<i32>
// expect: dense<8> : tensor<i8>
// expect: dense<0> : tensor<i32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
module {
  "func.func"() ({
  ^bb0(%input0: tensor<4x3x2x!i8>, %input1: tensor<4x3x2xi32>, %init0: tensor<!i8>, %init1: tensor<i32>):
    %0:2 = "stablehlo.reduce"(%input0, %input1, %init0, %init1) ({
    ^bb0(%a0: tensor<!i8>, %a1: tensor<i32>, %b0: tensor<!i8>, %b1: tensor<i32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      %v = "stablehlo.select"(%p, %a0, %b0) : (tensor<i1>, tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      %i = "stablehlo.select"(%p, %a1, %b1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%v, %i) : (tensor<!i8>, tensor<i32>) -> ()
    }) {dimensions = array<i64: 2, 1, 0>} : (tensor<4x3x2x!i8>, tensor<4x3x2xi32>, tensor<!i8>, tensor<i32>) -> (tensor<!i8>, tensor<i32>)
    "func.return"(%0#0, %0#1) : (tensor<!i8>, tensor<i32>) -> ()
  }) {function_type = (tensor<4x3x2x!i8>, tensor<4x3x2xi32>, tensor<!i8>, tensor<i32>) -> (tensor<!i8>, tensor<i32>), sym_name = "main"} : () -> ()
}

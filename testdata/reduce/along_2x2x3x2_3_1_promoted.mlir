// clause: reduce: the slices along dimensions, in ascending order
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[[[1, 3], [7, 7], [4, 7]], [[1, 7], [4, 7], [3, 8]]], [[[6, -1], [2, 2], [6, 6]], [[4, -2], [-1, -1], [5, -1]]]]> : tensor<2x2x3x2xi8>
// args: dense<6> : tensor<i8>
// expect: dense<[[4, 30, 24], [-6, -16, 12]]> : tensor<2x3xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.25:-2>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x2x3x2x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {dimensions = array<i64: 3, 1>} : (tensor<2x2x3x2x!i8>, tensor<!i8>) -> tensor<2x3x!i32>
    "func.return"(%0) : (tensor<2x3x!i32>) -> ()
  }) {function_type = (tensor<2x2x3x2x!i8>, tensor<!i8>) -> tensor<2x3x!i32>, sym_name = "main"} : () -> ()
}

// clause: reduce: the slices along dimensions, in ascending order
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[[-1, 0, 8, -2], [2, 4, 8, 5], [1, 3, 2, 4]], [[1, 6, 7, 3], [6, 7, -1, 3], [-2, 6, -2, 5]]]> : tensor<2x3x4xi8>
// args: dense<8> : tensor<i8>
// expect: dense<[4, 28, -6]> : tensor<3xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.25:-2>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x3x4x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {dimensions = array<i64: 0, 2>} : (tensor<2x3x4x!i8>, tensor<!i8>) -> tensor<3x!i32>
    "func.return"(%0) : (tensor<3x!i32>) -> ()
  }) {function_type = (tensor<2x3x4x!i8>, tensor<!i8>) -> tensor<3x!i32>, sym_name = "main"} : () -> ()
}

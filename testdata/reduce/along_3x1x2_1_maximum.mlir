// clause: reduce: the slices along dimensions, in ascending order
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[[1, -2]], [[1, 2]], [[5, 5]]]> : tensor<3x1x2xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[[3, 3], [3, 3], [5, 5]]> : tensor<3x2xi8>
!i8 = !quant.uniform<i8:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3x1x2x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<3x1x2x!i8>, tensor<!i8>) -> tensor<3x2x!i8>
    "func.return"(%0) : (tensor<3x2x!i8>) -> ()
  }) {function_type = (tensor<3x1x2x!i8>, tensor<!i8>) -> tensor<3x2x!i8>, sym_name = "main"} : () -> ()
}

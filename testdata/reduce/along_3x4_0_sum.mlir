// clause: reduce: the slices along dimensions, in ascending order
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[-2, 3, 3, 1], [-1, 4, -1, 5], [5, 4, -3, -4]]> : tensor<3x4xi32>
// args: dense<-5> : tensor<i32>
// expect: dense<[-3, 6, -6, -3]> : tensor<4xi32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3x4xi32>, %init: tensor<i32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<3x4xi32>, tensor<i32>) -> tensor<4xi32>
    "func.return"(%0) : (tensor<4xi32>) -> ()
  }) {function_type = (tensor<3x4xi32>, tensor<i32>) -> tensor<4xi32>, sym_name = "main"} : () -> ()
}

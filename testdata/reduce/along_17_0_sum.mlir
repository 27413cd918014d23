// clause: reduce: the slices along dimensions, in ascending order
// Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[5, -2, 4, 4, 3, 5, 0, -2, -4, 1, 5, -1, -5, 3, 4, 3, -2]> : tensor<17xi32>
// args: dense<-2> : tensor<i32>
// expect: dense<19> : tensor<i32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<17xi32>, %init: tensor<i32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<17xi32>, tensor<i32>) -> tensor<i32>
    "func.return"(%0) : (tensor<i32>) -> ()
  }) {function_type = (tensor<17xi32>, tensor<i32>) -> tensor<i32>, sym_name = "main"} : () -> ()
}

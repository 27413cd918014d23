// clause: reduce_window: strides
// An incomplete window at the end is none.
// derivation: by hand: 1+2, 4+5.
// args: dense<[1, 2, 3, 4, 5, 6, 7]> : tensor<7xi32>
// args: dense<0> : tensor<i32>
// expect: dense<[3, 9]> : tensor<2xi32>
// wrong (stride ignored): dense<[3, 5]> : tensor<2xi32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7xi32>, %init: tensor<i32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 3>} : (tensor<7xi32>, tensor<i32>) -> tensor<2xi32>
    "func.return"(%0) : (tensor<2xi32>) -> ()
  }) {function_type = (tensor<7xi32>, tensor<i32>) -> tensor<2xi32>, sym_name = "main"} : () -> ()
}

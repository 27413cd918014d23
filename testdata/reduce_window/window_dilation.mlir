// clause: reduce_window: window dilation spreads the window
// Elements three apart.
// derivation: by hand: 1+4, 2+5, 3+6.
// args: dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
// args: dense<0> : tensor<i32>
// expect: dense<[5, 7, 9]> : tensor<3xi32>
// wrong (dilation ignored): dense<[3, 5, 7]> : tensor<3xi32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<6xi32>, %init: tensor<i32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 2>, window_dilations = array<i64: 3>} : (tensor<6xi32>, tensor<i32>) -> tensor<3xi32>
    "func.return"(%0) : (tensor<3xi32>) -> ()
  }) {function_type = (tensor<6xi32>, tensor<i32>) -> tensor<3xi32>, sym_name = "main"} : () -> ()
}

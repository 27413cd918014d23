// clause: reduce_window: negative padding crops
// The first and last element belong to no window.
// derivation: by hand: 2+3, 3+4.
// args: dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
// args: dense<0> : tensor<i32>
// expect: dense<[5, 7]> : tensor<2xi32>
// wrong (negative padding ignored): dense<[3, 5]> : tensor<2xi32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<5xi32>, %init: tensor<i32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 2>, padding = dense<[[-1, -1]]> : tensor<1x2xi64>} : (tensor<5xi32>, tensor<i32>) -> tensor<2xi32>
    "func.return"(%0) : (tensor<2xi32>) -> ()
  }) {function_type = (tensor<5xi32>, tensor<i32>) -> tensor<2xi32>, sym_name = "main"} : () -> ()
}

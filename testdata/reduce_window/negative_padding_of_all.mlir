// clause: reduce_window: no window fits where padding crops more than there is
// Two elements less three.
// derivation: by hand: Nothing.
// args: dense<[1, 2]> : tensor<2xi32>
// args: dense<7> : tensor<i32>
// expect: dense<> : tensor<0xi32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2xi32>, %init: tensor<i32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 1>, padding = dense<[[0, -3]]> : tensor<1x2xi64>} : (tensor<2xi32>, tensor<i32>) -> tensor<0xi32>
    "func.return"(%0) : (tensor<0xi32>) -> ()
  }) {function_type = (tensor<2xi32>, tensor<i32>) -> tensor<0xi32>, sym_name = "main"} : () -> ()
}

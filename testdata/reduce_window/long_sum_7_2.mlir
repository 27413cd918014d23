// clause: reduce_window: long windows, which overlap
// Running sums may be used where they give the same.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[-5, 2, 5, -2, 1, 4, 1, -5, -4, -1, -4, -5, 5, 1, 4, -4, -1, 0, 1, -5, 0, 4, 0, -4, 0, 5, -2, 2, -5, 2, -4, 1, 3, -3, 3, -2, 0, 4, -5, -4]> : tensor<40xi32>
// args: dense<-2> : tensor<i32>
// expect: dense<[-3, -8, 6, -14, 0, -12, 0, -21, -1, -12, 3, -15, 7, -5, 0, -4, -9, 2, -12, 3, -10, 5, -7, -1, -7, 7, -12, -2]> : tensor<28xi32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<40xi32>, %init: tensor<i32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 7>, window_dilations = array<i64: 2>} : (tensor<40xi32>, tensor<i32>) -> tensor<28xi32>
    "func.return"(%0) : (tensor<28xi32>) -> ()
  }) {function_type = (tensor<40xi32>, tensor<i32>) -> tensor<28xi32>, sym_name = "main"} : () -> ()
}

// clause: reduce_window: long windows, which overlap
// Running sums may be used where they give the same.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[-3, 2, -5, -2, -2, 3, 2, 4, 1, 4, -2, 4, -3, -4, 3, 2, 4, -5, 0, -2, 2, -4, -2, -4, -4, 5, 4, 3, 4, -3, 0, 1, -2, 4, -5, -4, 5, -3, -3, 1]> : tensor<40xi32>
// args: dense<-3> : tensor<i32>
// expect: dense<[1, 8, 1, 6, 6, 10, 3, -1, -9, -14, -13, -7, -8, -1, 0, -3, -4, -10, -1, -6, -8, -5, -4, -5, 0]> : tensor<25xi32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<40xi32>, %init: tensor<i32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 16>, window_dilations = array<i64: 1>} : (tensor<40xi32>, tensor<i32>) -> tensor<25xi32>
    "func.return"(%0) : (tensor<25xi32>) -> ()
  }) {function_type = (tensor<40xi32>, tensor<i32>) -> tensor<25xi32>, sym_name = "main"} : () -> ()
}

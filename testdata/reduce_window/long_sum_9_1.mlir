// clause: reduce_window: long windows, which overlap
// Running sums may be used where they give the same.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[2, -2, 1, -2, 0, 0, 4, -1, -2, 2, 5, -3, -5, -3, -2, 4, 1, -3, -1, -5, -4, 5, 0, 5, 0, 2, 3, 0, -2, 0, 0, -2, 3, 0, 1, 0, 5, 4, 3, -5]> : tensor<40xi32>
// args: dense<-4> : tensor<i32>
// expect: dense<[-4, -4, 3, -1, -4, -7, -9, -9, -7, -8, -11, -21, -22, -12, -9, -2, -6, -5, 1, 2, 5, 9, 4, 2, 0, 0, -1, -4, 1, 7, 10, 5]> : tensor<32xi32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<40xi32>, %init: tensor<i32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 9>, window_dilations = array<i64: 1>} : (tensor<40xi32>, tensor<i32>) -> tensor<32xi32>
    "func.return"(%0) : (tensor<32xi32>) -> ()
  }) {function_type = (tensor<40xi32>, tensor<i32>) -> tensor<32xi32>, sym_name = "main"} : () -> ()
}

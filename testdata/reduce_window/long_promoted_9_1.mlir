// clause: reduce_window: long windows, which overlap
// Running sums may be used where they give the same.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[4, 5, 1, 1, -1, 0, -1, 5, -2, 0, -1, 7, -2, 7, 3, 7, 7, 4, 6, -1, 7, -2, -1, 6, -1, 6, 3, 2, 3, 5, 1, 3, -1, 7, -2, 0, -1, 5, -1, 5]> : tensor<40xi8>
// args: dense<4> : tensor<i8>
// expect: dense<[-30, -38, -50, -38, -44, -28, -22, -6, -2, 10, 22, 22, 22, 22, 6, 12, -4, -6, -8, -16, -8, -12, -6, 2, -12, 4, -12, -18, -24, -20, -32, -24]> : tensor<32xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.25:-2>
module {
  "func.func"() ({
  ^bb0(%input: tensor<40x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 9>, window_dilations = array<i64: 1>} : (tensor<40x!i8>, tensor<!i8>) -> tensor<32x!i32>
    "func.return"(%0) : (tensor<32x!i32>) -> ()
  }) {function_type = (tensor<40x!i8>, tensor<!i8>) -> tensor<32x!i32>, sym_name = "main"} : () -> ()
}

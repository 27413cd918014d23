// clause: reduce_window: long windows, which overlap
// Running sums may be used where they give the same.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[-1, 3, 4, 4, 7, 5, 2, 6, -1, 8, 8, 3, 4, 1, 5, -2, 2, -2, 8, 8, 8, 8, 2, 3, 6, -1, 3, -2, -2, 4, 3, -1, 6, 5, 6, 6, 3, -2, 0, 1]> : tensor<40xi8>
// args: dense<6> : tensor<i8>
// expect: dense<[20, 26, 16, 24, 32, 34, 40, 40, 34, 48, 30, 20, 10, -2, 4, 0, 2, 10, 24, 20, 16, 6, -14, -18, -22]> : tensor<25xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.25:-2>
module {
  "func.func"() ({
  ^bb0(%input: tensor<40x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 16>, window_dilations = array<i64: 1>} : (tensor<40x!i8>, tensor<!i8>) -> tensor<25x!i32>
    "func.return"(%0) : (tensor<25x!i32>) -> ()
  }) {function_type = (tensor<40x!i8>, tensor<!i8>) -> tensor<25x!i32>, sym_name = "main"} : () -> ()
}

// clause: reduce_window: long windows, which overlap
// Running sums may be used where they give the same.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[6, 6, 5, 3, 6, 2, -1, 5, 0, 0, 7, -2, 8, 8, 1, 2, 5, 7, 3, 6, 4, 5, 4, 5, 3, 1, -2, 6, 8, 0, 2, 3, 7, 5, 0, -2, -2, 3, 1, -1]> : tensor<40xi8>
// args: dense<7> : tensor<i8>
// expect: dense<[26, 8, 16, 0, 16, 8, 10, 16, 20, 16, 28, 26, 20, 32, 0, 28, 14, 24, 8, 16, 16, 14, 8, 0, -4, -4, -8, -8]> : tensor<28xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.25:-2>
module {
  "func.func"() ({
  ^bb0(%input: tensor<40x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 7>, window_dilations = array<i64: 2>} : (tensor<40x!i8>, tensor<!i8>) -> tensor<28x!i32>
    "func.return"(%0) : (tensor<28x!i32>) -> ()
  }) {function_type = (tensor<40x!i8>, tensor<!i8>) -> tensor<28x!i32>, sym_name = "main"} : () -> ()
}

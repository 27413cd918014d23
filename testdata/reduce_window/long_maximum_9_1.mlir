// clause: reduce_window: long windows, which overlap
// Running sums may be used where they give the same.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[3, 1, 4, -4, -5, 0, 5, 2, 1, 5, 3, 0, -1, 2, 5, 4, -2, -4, -2, -2, -1, 2, -1, 0, -1, 2, -3, -2, -2, -1, -1, 2, 2, 3, 2, -5, 0, 0, -1, 5]> : tensor<40xi8>
// args: dense<-4> : tensor<i8>
// expect: dense<[5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 4, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 5]> : tensor<32xi8>
!i8 = !quant.uniform<i8:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<40x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 9>, window_dilations = array<i64: 1>} : (tensor<40x!i8>, tensor<!i8>) -> tensor<32x!i8>
    "func.return"(%0) : (tensor<32x!i8>) -> ()
  }) {function_type = (tensor<40x!i8>, tensor<!i8>) -> tensor<32x!i8>, sym_name = "main"} : () -> ()
}

// clause: reduce_window: long windows, which overlap
// Running sums may be used where they give the same.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[-1, 2, 0, -3, -1, 3, 3, -1, 2, -1, 2, 0, -3, -1, -4, -4, -5, -3, -4, -3, -4, 3, -3, 0, 5, 0, 3, 0, -1, -4, 0, -3, -1, 3, -3, -3, 4, 3, 0, -5]> : tensor<40xi8>
// args: dense<-4> : tensor<i8>
// expect: dense<[3, 3, 3, 3, 3, 3, 3, 3, 3, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5]> : tensor<25xi8>
!i8 = !quant.uniform<i8:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<40x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 16>, window_dilations = array<i64: 1>} : (tensor<40x!i8>, tensor<!i8>) -> tensor<25x!i8>
    "func.return"(%0) : (tensor<25x!i8>) -> ()
  }) {function_type = (tensor<40x!i8>, tensor<!i8>) -> tensor<25x!i8>, sym_name = "main"} : () -> ()
}

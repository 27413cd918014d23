// clause: reduce_window: windows in ascending order
// The window's elements and one init value.
// derivation: by hand: a + b - 3.
// args: dense<[1, 2, 3, 4, 5, 100]> : tensor<6xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[0, 2, 4, 6, 102]> : tensor<5xi8>
// wrong (zero points added up): dense<[3, 5, 7, 9, 105]> : tensor<5xi8>
!i8 = !quant.uniform<i8:f32, 0.5:3>
module {
  "func.func"() ({
  ^bb0(%input: tensor<6x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<6x!i8>, tensor<!i8>) -> tensor<5x!i8>
    "func.return"(%0) : (tensor<5x!i8>) -> ()
  }) {function_type = (tensor<6x!i8>, tensor<!i8>) -> tensor<5x!i8>, sym_name = "main"} : () -> ()
}

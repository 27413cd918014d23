// clause: to_destination_type: elements are converted to the body's type
// 5.0 and 10.0: StableHLO's passes reuse the stored integers, 39 for the sum and 23 for the maximum.
// derivation: by hand: 0.0, 5.0, 10.0: 15.0.
// args: dense<[13, 23]> : tensor<2xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[15]> : tensor<1xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[39]> : tensor<1xi8>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i8_b = !quant.uniform<i8:f32, 1.0>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i8_b>, %b0: tensor<!i8_b>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8_b>, tensor<!i8_b>) -> tensor<!i8_b>
      "stablehlo.return"(%r0) : (tensor<!i8_b>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<2x!i8>, tensor<!i8>) -> tensor<1x!i8_b>
    "func.return"(%0) : (tensor<1x!i8_b>) -> ()
  }) {function_type = (tensor<2x!i8>, tensor<!i8>) -> tensor<1x!i8_b>, sym_name = "main"} : () -> ()
}

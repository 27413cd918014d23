// clause: reduce_window: holes are converted
// Holes stand for 1.0 in the body's type.
// derivation: by hand: in steps of 0.25: 4+0+4, 4+4+4, 4+4+8.
// args: dense<[3, 7]> : tensor<2xi8>
// args: dense<5> : tensor<i8>
// expect: dense<[8, 12, 16]> : tensor<3xi32>
// permitted (init value twice; init value first and last): dense<[12, 16, 20]> : tensor<3xi32>
// permitted (init value before every element): dense<[16, 20, 24]> : tensor<3xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[13, 15, 17]> : tensor<3xi32>
// wrong (padding with stored zeros; padding left out, as XLA): dense<[4, 4, 12]> : tensor<3xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.25>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 2>, base_dilations = array<i64: 3>} : (tensor<2x!i8>, tensor<!i8>) -> tensor<3x!i32>
    "func.return"(%0) : (tensor<3x!i32>) -> ()
  }) {function_type = (tensor<2x!i8>, tensor<!i8>) -> tensor<3x!i32>, sym_name = "main"} : () -> ()
}

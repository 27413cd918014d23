// clause: reduce_window: padding is converted (erratum E10)
// Padding stands for 5.0 in the body's type, too.
// derivation: by hand: in steps of 0.25: 20+20+4, 20+4+8, 20+8+20.
// args: dense<[5, 7]> : tensor<2xi8>
// args: dense<13> : tensor<i8>
// expect: dense<[44, 32, 48]> : tensor<3xi32>
// permitted (init value twice; init value first and last): dense<[64, 52, 68]> : tensor<3xi32>
// permitted (init value before every element): dense<[84, 72, 88]> : tensor<3xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[31, 25, 33]> : tensor<3xi32>
// wrong (init value not converted): dense<[30, 25, 34]> : tensor<3xi32>
// wrong (zeros, and no init value): dense<[4, 12, 8]> : tensor<3xi32>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i32 = !quant.uniform<i32:f32, 0.25>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<2x!i8>, tensor<!i8>) -> tensor<3x!i32>
    "func.return"(%0) : (tensor<3x!i32>) -> ()
  }) {function_type = (tensor<2x!i8>, tensor<!i8>) -> tensor<3x!i32>, sym_name = "main"} : () -> ()
}

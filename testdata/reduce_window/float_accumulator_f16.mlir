// clause: add: the quantized sum goes through the expressed type
// The sums need more bits than the expressed type has: integers, or one exact sum, keep ones that it loses.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-16147, 12323, 11426, -12583, -14483, 16705, 30773]> : tensor<7xi16>
// args: dense<0> : tensor<i16>
// expect: dense<[-3824, 11160, -10368, 47488]> : tensor<4xi32>
// permitted (balanced): dense<[-3824, 11160, -10360, 47488]> : tensor<4xi32>
// wrong (accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[-3824, 11160, -10360, 47472]> : tensor<4xi32>
!i16 = !quant.uniform<i16:f16, 1.0>
!i32 = !quant.uniform<i32:f16, 1.0>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!i16>, %init: tensor<!i16>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i16>, tensor<!i16>) -> tensor<4x!i32>
    "func.return"(%0) : (tensor<4x!i32>) -> ()
  }) {function_type = (tensor<7x!i16>, tensor<!i16>) -> tensor<4x!i32>, sym_name = "main"} : () -> ()
}

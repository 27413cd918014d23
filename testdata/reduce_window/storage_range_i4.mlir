// clause: quantize: clamp to storage_min and storage_max, at every width
// The sum leaves the declared storage range but not the storage type's: both clamping to the wider range and
// wrapping give another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[6, 5, 5, -6, 5, 6, 6]> : tensor<7xi4>
// args: dense<0> : tensor<i4>
// expect: dense<[6, 0, 5, 6]> : tensor<4xi4>
// permitted (balanced): dense<[6, 4, 0, 6]> : tensor<4xi4>
// wrong (storage_min and storage_max ignored, as StableHLO's passes at 32 bits): dense<[7, 1, 5, 7]> : tensor<4xi4>
!i4 = !quant.uniform<i4<-6:6>:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!i4>, %init: tensor<!i4>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i4>, %b0: tensor<!i4>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i4>, tensor<!i4>) -> tensor<!i4>
      "stablehlo.return"(%r0) : (tensor<!i4>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i4>, tensor<!i4>) -> tensor<4x!i4>
    "func.return"(%0) : (tensor<4x!i4>) -> ()
  }) {function_type = (tensor<7x!i4>, tensor<!i4>) -> tensor<4x!i4>, sym_name = "main"} : () -> ()
}

// clause: quantize: clamp to storage_min and storage_max, at every width
// The sum leaves the declared storage range but not the storage type's: both clamping to the wider range and
// wrapping give another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[6, 5, 5, -6, 5, 6], [6, -5, -5, -5, 5, 6]]> : tensor<2x6xi4>
// args: dense<0> : tensor<i4>
// expect: dense<[6, 5]> : tensor<2xi4>
// permitted (balanced): dense<[6, 6]> : tensor<2xi4>
// wrong (storage_min and storage_max ignored, as StableHLO's passes at 32 bits): dense<[7, 3]> : tensor<2xi4>
!i4 = !quant.uniform<i4<-6:6>:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i4>, %init: tensor<!i4>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i4>, %b0: tensor<!i4>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i4>, tensor<!i4>) -> tensor<!i4>
      "stablehlo.return"(%r0) : (tensor<!i4>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i4>, tensor<!i4>) -> tensor<2x!i4>
    "func.return"(%0) : (tensor<2x!i4>) -> ()
  }) {function_type = (tensor<2x6x!i4>, tensor<!i4>) -> tensor<2x!i4>, sym_name = "main"} : () -> ()
}

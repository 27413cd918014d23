// clause: quantize: clamp to storage_min and storage_max, at every width
// The sum leaves the declared storage range but not the storage type's: both clamping to the wider range and
// wrapping give another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[-99, -89, -77, 94, 89, -84], [83, 93, -83, 90, 93, 97]]> : tensor<2x6xi32>
// args: dense<0> : tensor<i32>
// expect: dense<[-1, 100]> : tensor<2xi32>
// permitted (balanced): dense<[-84, 100]> : tensor<2xi32>
// wrong (storage_min and storage_max ignored, as StableHLO's passes at 32 bits; accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[-166, 373]> : tensor<2xi32>
!i32 = !quant.uniform<i32<-100:100>:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i32>, %init: tensor<!i32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i32>, tensor<!i32>) -> tensor<2x!i32>
    "func.return"(%0) : (tensor<2x!i32>) -> ()
  }) {function_type = (tensor<2x6x!i32>, tensor<!i32>) -> tensor<2x!i32>, sym_name = "main"} : () -> ()
}

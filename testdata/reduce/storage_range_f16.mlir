// clause: quantize: clamp to storage_min and storage_max, at every width
// The sum leaves the declared storage range but not the storage type's: both clamping to the wider range and
// wrapping give another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[-43, -50, -46, -42, -47, -45], [-42, 42, 47, -47, 42, 41]]> : tensor<2x6xi8>
// args: dense<-1> : tensor<i8>
// expect: dense<[-50, 50]> : tensor<2xi8>
// permitted (balanced): dense<[-50, 48]> : tensor<2xi8>
// wrong (storage_min and storage_max ignored, as StableHLO's passes at 32 bits): dense<[-128, 88]> : tensor<2xi8>
!i8 = !quant.uniform<i8<-50:50>:f16, 0.5:-1>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i8>
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}

// clause: quantize: clamp to storage_min and storage_max, at every width
// The sum leaves the declared storage range but not the storage type's: both clamping to the wider range and
// wrapping give another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[-85, -81, 80, 94, -91, -94], [-91, 87, 83, 83, 77, 82]]> : tensor<2x6xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[-100, 100]> : tensor<2xi8>
// wrong (storage_min and storage_max ignored, as StableHLO's passes at 32 bits): dense<[-128, 127]> : tensor<2xi8>
!i8 = !quant.uniform<i8<-100:100>:f32, 0.5:3>
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

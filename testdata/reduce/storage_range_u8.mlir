// clause: quantize: clamp to storage_min and storage_max, at every width
// The sum leaves the declared storage range but not the storage type's: both clamping to the wider range and
// wrapping give another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[42, 238, 36, 27, 25, 20], [29, 19, 16, 19, 21, 16]]> : tensor<2x6xui8>
// args: dense<128> : tensor<ui8>
// expect: dense<[16, 16]> : tensor<2xui8>
// wrong (storage_min and storage_max ignored, as StableHLO's passes at 32 bits): dense<[0, 0]> : tensor<2xui8>
!u8 = !quant.uniform<u8<16:240>:f32, 0.5:128>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!u8>, %init: tensor<!u8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!u8>, %b0: tensor<!u8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!u8>, tensor<!u8>) -> tensor<!u8>
      "stablehlo.return"(%r0) : (tensor<!u8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!u8>, tensor<!u8>) -> tensor<2x!u8>
    "func.return"(%0) : (tensor<2x!u8>) -> ()
  }) {function_type = (tensor<2x6x!u8>, tensor<!u8>) -> tensor<2x!u8>, sym_name = "main"} : () -> ()
}

// clause: quantize: clamp to storage_min and storage_max, at every width
// The sum leaves the declared storage range but not the storage type's: both clamping to the wider range and
// wrapping give another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[42, 238, 36, 27, 25, 20, 29]> : tensor<7xui8>
// args: dense<[19, 16, 19, 21, 16, 16, 220]> : tensor<7xui8>
// args: dense<128> : tensor<ui8>
// expect: dense<[128, 16, 21, 16, 128, 128, 108]> : tensor<7xui8>
// wrong (storage_min and storage_max ignored, as StableHLO's passes at 32 bits): dense<[128, 0, 21, 16, 128, 128, 108]> : tensor<7xui8>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[16, 128, 16, 16, 128, 128, 16]> : tensor<7xui8>
!u8 = !quant.uniform<u8<16:240>:f32, 0.5:128>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!u8>, %source: tensor<7x!u8>, %init_value: tensor<!u8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!u8>, %b0: tensor<!u8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!u8>, tensor<!u8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!u8>, %b0: tensor<!u8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!u8>, tensor<!u8>) -> tensor<!u8>
      "stablehlo.return"(%r0) : (tensor<!u8>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!u8>, tensor<7x!u8>, tensor<!u8>) -> tensor<7x!u8>
    "func.return"(%0) : (tensor<7x!u8>) -> ()
  }) {function_type = (tensor<7x!u8>, tensor<7x!u8>, tensor<!u8>) -> tensor<7x!u8>, sym_name = "main"} : () -> ()
}

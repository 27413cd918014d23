// clause: quantize: saturate at the storage bounds
// Sums leave the storage type; wrapping, as integers do, gives another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[0, 238, 235, 244, 29, 243, 4]> : tensor<7xui8>
// args: dense<[11, 241, 237, 14, 29, 15, 20]> : tensor<7xui8>
// args: dense<128> : tensor<ui8>
// expect: dense<[128, 124, 128, 24, 128, 0, 128]> : tensor<7xui8>
// permitted (balanced): dense<[128, 124, 128, 109, 128, 0, 128]> : tensor<7xui8>
// wrong (wrapped instead of saturated): dense<[128, 124, 128, 24, 128, 163, 128]> : tensor<7xui8>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[0, 128, 128, 0, 0, 128, 0]> : tensor<7xui8>
!u8 = !quant.uniform<u8:f32, 0.5:128>
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

// clause: quantize: saturate at the storage bounds
// Sums leave the storage type; wrapping, as integers do, gives another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[0, 238, 235, 244, 29, 243, 4]> : tensor<7xui8>
// args: dense<128> : tensor<ui8>
// expect: dense<[110, 255, 255, 119]> : tensor<4xui8>
// wrong (wrapped instead of saturated): dense<[110, 205, 4, 119]> : tensor<4xui8>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[0, 0, 0, 0]> : tensor<4xui8>
!u8 = !quant.uniform<u8:f32, 0.5:128>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!u8>, %init: tensor<!u8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!u8>, %b0: tensor<!u8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!u8>, tensor<!u8>) -> tensor<!u8>
      "stablehlo.return"(%r0) : (tensor<!u8>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!u8>, tensor<!u8>) -> tensor<4x!u8>
    "func.return"(%0) : (tensor<4x!u8>) -> ()
  }) {function_type = (tensor<7x!u8>, tensor<!u8>) -> tensor<4x!u8>, sym_name = "main"} : () -> ()
}

// clause: to_destination_type: dequantize, then quantize, each operation rounded
// One merged scale rounds elsewhere: some elements are off by one.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[40, 37, 169, 223, 65, 230, 7]> : tensor<7xui8>
// args: dense<10> : tensor<ui8>
// expect: dense<[49, 221, 265, 128]> : tensor<4xui16>
// wrong (converted with one merged scale, as StableHLO's passes): dense<[49, 220, 264, 128]> : tensor<4xui16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[37, 379, 468, 197]> : tensor<4xui16>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[49, 0, 10, 0]> : tensor<4xui16>
!u8 = !quant.uniform<u8:f32, 0.05:10>
!u16 = !quant.uniform<u16:f32, 0.1:20>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!u8>, %init: tensor<!u8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!u16>, %b0: tensor<!u16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!u16>, tensor<!u16>) -> tensor<!u16>
      "stablehlo.return"(%r0) : (tensor<!u16>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!u8>, tensor<!u8>) -> tensor<4x!u16>
    "func.return"(%0) : (tensor<4x!u16>) -> ()
  }) {function_type = (tensor<7x!u8>, tensor<!u8>) -> tensor<4x!u16>, sym_name = "main"} : () -> ()
}

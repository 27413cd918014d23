// clause: to_destination_type: elements and init are quantized(dequantized) to the body's type (erratum E2)
// Input and body have other scales and zero points: stored integers mean other numbers in the body.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[111, 98, 128, 128, 99, 114, 115]> : tensor<7xui8>
// args: dense<128> : tensor<ui8>
// expect: dense<[981, 988, 982, 989]> : tensor<4xui16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes; converted without zero points): dense<[0, 0, 0, 0]> : tensor<4xui16>
// wrong (init value not converted): dense<[0, 116, 110, 0]> : tensor<4xui16>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[777, 682, 778, 785]> : tensor<4xui16>
!u8 = !quant.uniform<u8:f32, 0.02:128>
!u16 = !quant.uniform<u16:f32, 0.05:1000>
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

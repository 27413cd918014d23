// clause: to_destination_type: elements and init are quantized(dequantized) to the body's type (erratum E2)
// Input and body have other scales and zero points: stored integers mean other numbers in the body.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[111, 98, 128, 128, 99, 114, 115]> : tensor<7xui8>
// args: dense<[100, 147, 157, 122, 155, 129, 152]> : tensor<7xui8>
// args: dense<128> : tensor<ui8>
// expect: dense<[989, 1000, 1018, 1011, 1000, 1000, 1010]> : tensor<7xui16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[0, 128, 0, 0, 128, 128, 0]> : tensor<7xui16>
// wrong (init value not converted): dense<[117, 128, 146, 139, 128, 128, 138]> : tensor<7xui16>
// wrong (converted without zero points): dense<[0, 51, 0, 0, 51, 51, 0]> : tensor<7xui16>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[792, 807, 898, 898, 896, 806, 703]> : tensor<7xui16>
!u8 = !quant.uniform<u8:f32, 0.02:128>
!u16 = !quant.uniform<u16:f32, 0.05:1000>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!u8>, %source: tensor<7x!u8>, %init_value: tensor<!u8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!u8>, %b0: tensor<!u8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!u8>, tensor<!u8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!u16>, %b0: tensor<!u16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!u16>, tensor<!u16>) -> tensor<!u16>
      "stablehlo.return"(%r0) : (tensor<!u16>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!u8>, tensor<7x!u8>, tensor<!u8>) -> tensor<7x!u16>
    "func.return"(%0) : (tensor<7x!u16>) -> ()
  }) {function_type = (tensor<7x!u8>, tensor<7x!u8>, tensor<!u8>) -> tensor<7x!u16>, sym_name = "main"} : () -> ()
}

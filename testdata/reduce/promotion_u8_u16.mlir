// clause: to_destination_type: elements and init are quantized(dequantized) to the body's type (erratum E2)
// Input and body have other scales and zero points: stored integers mean other numbers in the body.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[111, 98, 128, 128, 99, 114], [115, 100, 147, 157, 122, 155]]> : tensor<2x6xui8>
// args: dense<128> : tensor<ui8>
// expect: dense<[963, 1013]> : tensor<2xui16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes; converted without zero points): dense<[0, 0]> : tensor<2xui16>
// wrong (init value not converted): dense<[91, 141]> : tensor<2xui16>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[657, 602]> : tensor<2xui16>
!u8 = !quant.uniform<u8:f32, 0.02:128>
!u16 = !quant.uniform<u16:f32, 0.05:1000>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!u8>, %init: tensor<!u8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!u16>, %b0: tensor<!u16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!u16>, tensor<!u16>) -> tensor<!u16>
      "stablehlo.return"(%r0) : (tensor<!u16>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!u8>, tensor<!u8>) -> tensor<2x!u16>
    "func.return"(%0) : (tensor<2x!u16>) -> ()
  }) {function_type = (tensor<2x6x!u8>, tensor<!u8>) -> tensor<2x!u16>, sym_name = "main"} : () -> ()
}

// clause: to_destination_type: dequantize, then quantize, each operation rounded
// One merged scale rounds elsewhere: some elements are off by one.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[119, 233, 169, 83, 125, 95], [48, 253, 8, 183, 183, 243]]> : tensor<2x6xui8>
// args: dense<10> : tensor<ui8>
// expect: dense<[402, 450]> : tensor<2xui16>
// wrong (converted with one merged scale, as StableHLO's passes): dense<[402, 448]> : tensor<2xui16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[714, 808]> : tensor<2xui16>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[174, 0]> : tensor<2xui16>
!u8 = !quant.uniform<u8:f32, 0.05:10>
!u16 = !quant.uniform<u16:f32, 0.1:20>
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

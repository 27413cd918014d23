// clause: to_destination_type: elements and init are converted before the body sees them
// The scales differ: the largest stored integer is another number in the body's type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[24, 181, 10, 190, 148, 180], [136, 166, 116, 137, 200, 131]]> : tensor<2x6xui8>
// args: dense<128> : tensor<ui8>
// expect: dense<[155, 180]> : tensor<2xi16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[190, 200]> : tensor<2xi16>
// wrong (converted without zero points): dense<[475, 500]> : tensor<2xi16>
!u8 = !quant.uniform<u8:f32, 0.5:128>
!i16 = !quant.uniform<i16:f32, 0.2>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!u8>, %init: tensor<!u8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!u8>, tensor<!u8>) -> tensor<2x!i16>
    "func.return"(%0) : (tensor<2x!i16>) -> ()
  }) {function_type = (tensor<2x6x!u8>, tensor<!u8>) -> tensor<2x!i16>, sym_name = "main"} : () -> ()
}

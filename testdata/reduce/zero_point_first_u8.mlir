// clause: quantize: the zero point is added before rounding, ties to even
// The zero point is odd and quotients end in .5: rounding before adding it, or away from zero, is off by
// one.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[119, 131, 137, 127, 146, 118], [115, 145, 121, 146, 133, 147]]> : tensor<2x6xui8>
// args: dense<128> : tensor<ui8>
// expect: dense<[1, 17]> : tensor<2xi16>
// wrong (zero point added after rounding, as ONNX): dense<[3, 16]> : tensor<2xi16>
// wrong (ties rounded away from zero): dense<[1, 16]> : tensor<2xi16>
// wrong (rounded toward zero): dense<[3, 17]> : tensor<2xi16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[924, 953]> : tensor<2xi16>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[-511, -623]> : tensor<2xi16>
!u8 = !quant.uniform<u8:f32, 0.25:128>
!i16 = !quant.uniform<i16:f32, 0.5:-3>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!u8>, %init: tensor<!u8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!u8>, tensor<!u8>) -> tensor<2x!i16>
    "func.return"(%0) : (tensor<2x!i16>) -> ()
  }) {function_type = (tensor<2x6x!u8>, tensor<!u8>) -> tensor<2x!i16>, sym_name = "main"} : () -> ()
}

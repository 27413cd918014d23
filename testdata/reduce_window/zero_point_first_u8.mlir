// clause: quantize: the zero point is added before rounding, ties to even
// The zero point is odd and quotients end in .5: rounding before adding it, or away from zero, is off by
// one.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[137, 145, 143, 132, 115, 116, 134]> : tensor<7xui8>
// args: dense<128> : tensor<ui8>
// expect: dense<[11, 15, -14, -6]> : tensor<4xi16>
// wrong (zero point added after rounding, as ONNX): dense<[9, 15, -13, -6]> : tensor<4xi16>
// wrong (ties rounded away from zero): dense<[11, 16, -14, -6]> : tensor<4xi16>
// wrong (rounded toward zero): dense<[9, 14, -13, -6]> : tensor<4xi16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[547, 557, 500, 515]> : tensor<4xi16>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[-501, -497, -270, -390]> : tensor<4xi16>
!u8 = !quant.uniform<u8:f32, 0.25:128>
!i16 = !quant.uniform<i16:f32, 0.5:-3>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!u8>, %init: tensor<!u8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!u8>, tensor<!u8>) -> tensor<4x!i16>
    "func.return"(%0) : (tensor<4x!i16>) -> ()
  }) {function_type = (tensor<7x!u8>, tensor<!u8>) -> tensor<4x!i16>, sym_name = "main"} : () -> ()
}

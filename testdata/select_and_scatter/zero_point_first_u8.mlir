// clause: quantize: the zero point is added before rounding, ties to even
// The zero point is odd and quotients end in .5: rounding before adding it, or away from zero, is off by
// one.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[141, 115, 124, 144, 135, 117, 143]> : tensor<7xui8>
// args: dense<[128, 141, 114, 114, 138, 114, 125]> : tensor<7xui8>
// args: dense<128> : tensor<ui8>
// expect: dense<[4, -3, -3, -12, -3, -3, -11]> : tensor<7xi16>
// wrong (zero point added after rounding, as ONNX): dense<[3, -3, -3, -12, -3, -3, -12]> : tensor<7xi16>
// wrong (ties rounded away from zero): dense<[4, -3, -3, -12, -3, -3, -12]> : tensor<7xi16>
// wrong (rounded toward zero): dense<[3, -3, -3, -12, -3, -3, -11]> : tensor<7xi16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[403, 128, 128, 503, 128, 128, 373]> : tensor<7xi16>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[-131, -259, -266, -131, -131, -262, -131]> : tensor<7xi16>
!u8 = !quant.uniform<u8:f32, 0.25:128>
!i16 = !quant.uniform<i16:f32, 0.5:-3>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!u8>, %source: tensor<7x!u8>, %init_value: tensor<!u8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!u8>, %b0: tensor<!u8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!u8>, tensor<!u8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!u8>, tensor<7x!u8>, tensor<!u8>) -> tensor<7x!i16>
    "func.return"(%0) : (tensor<7x!i16>) -> ()
  }) {function_type = (tensor<7x!u8>, tensor<7x!u8>, tensor<!u8>) -> tensor<7x!i16>, sym_name = "main"} : () -> ()
}

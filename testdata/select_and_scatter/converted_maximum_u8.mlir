// clause: to_destination_type: elements and init are converted before the body sees them
// The scales differ: the largest stored integer is another number in the body's type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[24, 181, 10, 190, 148, 180, 136]> : tensor<7xui8>
// args: dense<[166, 116, 137, 200, 131, 72, 133]> : tensor<7xui8>
// args: dense<128> : tensor<ui8>
// expect: dense<[0, 95, 0, 180, 0, 12, 0]> : tensor<7xi16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[128, 166, 128, 200, 128, 133, 128]> : tensor<7xi16>
// wrong (converted without zero points): dense<[320, 415, 320, 500, 320, 332, 320]> : tensor<7xi16>
!u8 = !quant.uniform<u8:f32, 0.5:128>
!i16 = !quant.uniform<i16:f32, 0.2>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!u8>, %source: tensor<7x!u8>, %init_value: tensor<!u8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!u8>, %b0: tensor<!u8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!u8>, tensor<!u8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!u8>, tensor<7x!u8>, tensor<!u8>) -> tensor<7x!i16>
    "func.return"(%0) : (tensor<7x!i16>) -> ()
  }) {function_type = (tensor<7x!u8>, tensor<7x!u8>, tensor<!u8>) -> tensor<7x!i16>, sym_name = "main"} : () -> ()
}

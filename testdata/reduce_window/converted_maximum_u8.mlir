// clause: to_destination_type: elements and init are converted before the body sees them
// The scales differ: the largest stored integer is another number in the body's type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[24, 181, 10, 190, 148, 180, 136]> : tensor<7xui8>
// args: dense<128> : tensor<ui8>
// expect: dense<[132, 155, 155, 130]> : tensor<4xi16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[181, 190, 190, 180]> : tensor<4xi16>
// wrong (converted without zero points): dense<[452, 475, 475, 450]> : tensor<4xi16>
!u8 = !quant.uniform<u8:f32, 0.5:128>
!i16 = !quant.uniform<i16:f32, 0.2>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!u8>, %init: tensor<!u8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!u8>, tensor<!u8>) -> tensor<4x!i16>
    "func.return"(%0) : (tensor<4x!i16>) -> ()
  }) {function_type = (tensor<7x!u8>, tensor<!u8>) -> tensor<4x!i16>, sym_name = "main"} : () -> ()
}

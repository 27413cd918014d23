// clause: to_destination_type: the init value is converted, too
// The init value stands for 10.0; its stored integer, taken as it is, stands for another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[130, 134, 132, 134, 131, 132, 127]> : tensor<7xui8>
// args: dense<148> : tensor<ui8>
// expect: dense<[247, 187, 172, 222]> : tensor<4xi16>
// permitted (init value twice; init value first and last): dense<[347, 287, 272, 322]> : tensor<4xi16>
// permitted (init value before every element): dense<[547, 487, 472, 522]> : tensor<4xi16>
// wrong (init value not converted): dense<[329, 228, 213, 304]> : tensor<4xi16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[539, 527, 524, 534]> : tensor<4xi16>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[-4873, -4933, -4948, -3618]> : tensor<4xi16>
!u8 = !quant.uniform<u8:f32, 0.5:128>
!i16 = !quant.uniform<i16:f32, 0.1:7>
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

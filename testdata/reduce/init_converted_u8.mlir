// clause: to_destination_type: the init value is converted, too
// The init value stands for 10.0; its stored integer, taken as it is, stands for another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[130, 134, 132, 134, 131, 132], [127, 126, 128, 133, 123, 125]]> : tensor<2x6xui8>
// args: dense<148> : tensor<ui8>
// expect: dense<[232, 77]> : tensor<2xi16>
// permitted (init value twice; init value first and last): dense<[332, 177]> : tensor<2xi16>
// permitted (init value before every element): dense<[832, 677]> : tensor<2xi16>
// wrong (init value not converted): dense<[273, 118]> : tensor<2xi16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[899, 868]> : tensor<2xi16>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[-8728, -3763]> : tensor<2xi16>
!u8 = !quant.uniform<u8:f32, 0.5:128>
!i16 = !quant.uniform<i16:f32, 0.1:7>
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

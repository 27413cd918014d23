// clause: to_destination_type: the init value is converted, too
// The init value stands for 10.0; its stored integer, taken as it is, stands for another number.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[130, 134, 132, 134, 131, 132, 127]> : tensor<7xui8>
// args: dense<[126, 128, 133, 123, 125, 123, 122]> : tensor<7xui8>
// args: dense<148> : tensor<ui8>
// expect: dense<[107, 122, 107, 67, 107, 52, 107]> : tensor<7xi16>
// permitted (init value twice; init value first and last): dense<[207, 222, 207, 167, 207, 152, 207]> : tensor<7xi16>
// permitted (init value before every element): dense<[107, 422, 107, 267, 107, 252, 107]> : tensor<7xi16>
// wrong (init value not converted): dense<[148, 163, 148, 108, 148, 93, 148]> : tensor<7xi16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[148, 514, 148, 382, 148, 379, 148]> : tensor<7xi16>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[-1173, -3718, -1173, -1213, -1173, -1173, -1228]> : tensor<7xi16>
!u8 = !quant.uniform<u8:f32, 0.5:128>
!i16 = !quant.uniform<i16:f32, 0.1:7>
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

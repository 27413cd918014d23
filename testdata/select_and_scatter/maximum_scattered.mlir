// clause: select_and_scatter: scatter is any function
// Of two sources on one place the larger stays.
// derivation: by hand: 5.0 and 2.0; elsewhere the init value -65.5, in steps of 0.25.
// args: dense<[3, 9, 3]> : tensor<3xi8>
// args: dense<[13, 7]> : tensor<2xi8>
// args: dense<-128> : tensor<i8>
// expect: dense<[-262, 20, -262]> : tensor<3xi16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[-128, 13, -128]> : tensor<3xi16>
// wrong (init value not converted): dense<[-128, 20, -128]> : tensor<3xi16>
// wrong (scattered values overwrite each other): dense<[-262, 8, -262]> : tensor<3xi16>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i16 = !quant.uniform<i16:f32, 0.25>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<3x!i8>, %source: tensor<2x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<3x!i8>, tensor<2x!i8>, tensor<!i8>) -> tensor<3x!i16>
    "func.return"(%0) : (tensor<3x!i16>) -> ()
  }) {function_type = (tensor<3x!i8>, tensor<2x!i8>, tensor<!i8>) -> tensor<3x!i16>, sym_name = "main"} : () -> ()
}

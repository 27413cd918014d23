// clause: to_destination_type: init from its own type (erratum E12)
// What holds of the elements' type need not hold of the init value's.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// mode: mlir
// args: dense<[5, 7, -3]> : tensor<3xi8>
// args: dense<[5, 7]> : tensor<2xi8>
// args: dense<3333> : tensor<i16>
// expect: dense<[10000, 10000, 10000]> : tensor<3xi16>
!i8 = !quant.uniform<i8:f16, 0.5>
!i16 = !quant.uniform<i16:f16, 0.3>
!i16_b = !quant.uniform<i16:f16, 0.1>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<3x!i8>, %source: tensor<2x!i8>, %init_value: tensor<!i16>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i16_b>, %b0: tensor<!i16_b>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<!i16_b>, tensor<!i16_b>) -> tensor<!i16_b>
      "stablehlo.return"(%r0) : (tensor<!i16_b>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<3x!i8>, tensor<2x!i8>, tensor<!i16>) -> tensor<3x!i16_b>
    "func.return"(%0) : (tensor<3x!i16_b>) -> ()
  }) {function_type = (tensor<3x!i8>, tensor<2x!i8>, tensor<!i16>) -> tensor<3x!i16_b>, sym_name = "main"} : () -> ()
}

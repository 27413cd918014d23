// clause: to_destination_type: init from its own type (erratum E12)
// What holds of the elements' type need not hold of the init value's.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// mode: mlir
// args: dense<[5, 7, -3]> : tensor<3xi8>
// args: dense<[5, 7]> : tensor<2xi8>
// args: dense<-1001> : tensor<i16>
// expect: dense<[-1001, -1000, -1001]> : tensor<3xi16>
!i8 = !quant.uniform<i8:bf16, 1.0>
!i16 = !quant.uniform<i16:bf16, 1.0>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<3x!i8>, %source: tensor<2x!i8>, %init_value: tensor<!i16>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.minimum"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<3x!i8>, tensor<2x!i8>, tensor<!i16>) -> tensor<3x!i16>
    "func.return"(%0) : (tensor<3x!i16>) -> ()
  }) {function_type = (tensor<3x!i8>, tensor<2x!i8>, tensor<!i16>) -> tensor<3x!i16>, sym_name = "main"} : () -> ()
}

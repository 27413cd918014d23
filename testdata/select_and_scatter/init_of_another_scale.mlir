// clause: to_destination_type: init from its own type (erratum E12)
// jaxlib's verifier lets the init value have another scale than the source.
// derivation: by hand: 8.0 alone, and 8.0 + 3.0.
// mode: mlir
// args: dense<[4, 6]> : tensor<2xi8>
// args: dense<[6]> : tensor<1xi8>
// args: dense<4> : tensor<i8>
// expect: dense<[16, 22]> : tensor<2xi8>
// permitted (init value twice; init value first and last): dense<[32, 38]> : tensor<2xi8>
// permitted (init value before every element): dense<[16, 38]> : tensor<2xi8>
// wrong (init value not converted; stored integers not converted to the body's type, as StableHLO's passes): dense<[4, 10]> : tensor<2xi8>
!i8 = !quant.uniform<i8:f32, 0.5>
!i8_b = !quant.uniform<i8:f32, 2.0>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<2x!i8>, %source: tensor<1x!i8>, %init_value: tensor<!i8_b>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<2x!i8>, tensor<1x!i8>, tensor<!i8_b>) -> tensor<2x!i8>
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<2x!i8>, tensor<1x!i8>, tensor<!i8_b>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}

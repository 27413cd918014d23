// clause: to_destination_type: init from its own type (erratum E12)
// jaxlib's verifier lets the init value have another scale than the inputs.
// derivation: by hand: 2.0 + 3.0 + 8.0 in steps of 0.5.
// mode: mlir
// args: dense<[4, 6]> : tensor<2xi8>
// args: dense<4> : tensor<i8>
// expect: dense<26> : tensor<i8>
// permitted (init value twice; init value first and last): dense<42> : tensor<i8>
// permitted (init value before every element): dense<58> : tensor<i8>
// wrong (init value not converted; stored integers not converted to the body's type, as StableHLO's passes): dense<14> : tensor<i8>
!i8 = !quant.uniform<i8:f32, 0.5>
!i8_b = !quant.uniform<i8:f32, 2.0>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x!i8>, %init: tensor<!i8_b>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<2x!i8>, tensor<!i8_b>) -> tensor<!i8>
    "func.return"(%0) : (tensor<!i8>) -> ()
  }) {function_type = (tensor<2x!i8>, tensor<!i8_b>) -> tensor<!i8>, sym_name = "main"} : () -> ()
}

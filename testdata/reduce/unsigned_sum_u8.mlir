// clause: storage: the sum of u8 is unsigned (erratum E11)
// Results above half of the range, where signed storage ends.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[79, 0, 4, 0, 65, 69], [74, 0, 0, 81, 17, 0]]> : tensor<2x6xui8>
// args: dense<1> : tensor<ui8>
// expect: dense<[212, 167]> : tensor<2xui8>
// permitted (balanced): dense<[212, 168]> : tensor<2xui8>
// wrong (unsigned storage read and saturated as signed): dense<[127, 126]> : tensor<2xui8>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[0, 0]> : tensor<2xui8>
!u8 = !quant.uniform<u8:f32, 0.5:1>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!u8>, %init: tensor<!u8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!u8>, %b0: tensor<!u8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!u8>, tensor<!u8>) -> tensor<!u8>
      "stablehlo.return"(%r0) : (tensor<!u8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!u8>, tensor<!u8>) -> tensor<2x!u8>
    "func.return"(%0) : (tensor<2x!u8>) -> ()
  }) {function_type = (tensor<2x6x!u8>, tensor<!u8>) -> tensor<2x!u8>, sym_name = "main"} : () -> ()
}

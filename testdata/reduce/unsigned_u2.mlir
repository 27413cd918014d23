// clause: storage: u8 and ui8 are unsigned (erratum E11)
// Stored values at or above half of the range read as signed are negative.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[1, 3, 3, 2, 1, 2], [1, 0, 3, 0, 2, 0]]> : tensor<2x6xui2>
// args: dense<1> : tensor<ui2>
// expect: dense<[6, 0]> : tensor<2xi8>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[-10, -8]> : tensor<2xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[13, 7]> : tensor<2xi8>
!u2 = !quant.uniform<u2:f32, 1.0:1>
!i8 = !quant.uniform<i8:f32, 1.0>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!u2>, %init: tensor<!u2>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!u2>, tensor<!u2>) -> tensor<2x!i8>
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<2x6x!u2>, tensor<!u2>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}

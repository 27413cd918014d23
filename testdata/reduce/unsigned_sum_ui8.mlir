// clause: storage: the sum of u8 is unsigned (erratum E11)
// Results above half of the range, where signed storage ends.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[123, 94, 68, 145, 182, 176], [156, 99, 164, 27, 119, 12]]> : tensor<2x6xui8>
// args: dense<100> : tensor<ui8>
// expect: dense<[255, 77]> : tensor<2xui8>
// permitted (balanced): dense<[240, 119]> : tensor<2xui8>
// wrong (unsigned storage read and saturated as signed; unsigned storage read as signed, as StableHLO's passes): dense<[0, 0]> : tensor<2xui8>
!ui8 = !quant.uniform<ui8:f32, 0.5:100>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!ui8>, %init: tensor<!ui8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!ui8>, %b0: tensor<!ui8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!ui8>, tensor<!ui8>) -> tensor<!ui8>
      "stablehlo.return"(%r0) : (tensor<!ui8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!ui8>, tensor<!ui8>) -> tensor<2x!ui8>
    "func.return"(%0) : (tensor<2x!ui8>) -> ()
  }) {function_type = (tensor<2x6x!ui8>, tensor<!ui8>) -> tensor<2x!ui8>, sym_name = "main"} : () -> ()
}

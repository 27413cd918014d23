// clause: storage: the sum of u8 is unsigned (erratum E11)
// Results above half of the range, where signed storage ends.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[123, 94, 68, 145, 182, 176, 156]> : tensor<7xui8>
// args: dense<100> : tensor<ui8>
// expect: dense<[117, 107, 255, 232]> : tensor<4xui8>
// wrong (unsigned storage read and saturated as signed; unsigned storage read as signed, as StableHLO's passes): dense<[117, 0, 0, 0]> : tensor<4xui8>
!ui8 = !quant.uniform<ui8:f32, 0.5:100>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!ui8>, %init: tensor<!ui8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!ui8>, %b0: tensor<!ui8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!ui8>, tensor<!ui8>) -> tensor<!ui8>
      "stablehlo.return"(%r0) : (tensor<!ui8>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!ui8>, tensor<!ui8>) -> tensor<4x!ui8>
    "func.return"(%0) : (tensor<4x!ui8>) -> ()
  }) {function_type = (tensor<7x!ui8>, tensor<!ui8>) -> tensor<4x!ui8>, sym_name = "main"} : () -> ()
}

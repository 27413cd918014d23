// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[120, 133, 130, 122, 127, 124, 121, 123, 136, 132, 131, 124, 127, 122, 127, 119, 120, 127, 126, 137, 119, 120, 132, 129, 124, 135, 134, 129, 123, 129, 130, 127, 123, 125, 123, 136, 128, 133, 137, 137]> : tensor<40xui8>
// args: dense<122> : tensor<ui8>
// expect: dense<103> : tensor<ui8>
!u8 = !quant.uniform<u8:f32, 0.5:128>
module {
  "func.func"() ({
  ^bb0(%input: tensor<40x!u8>, %init: tensor<!u8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!u8>, %b0: tensor<!u8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!u8>, tensor<!u8>) -> tensor<!u8>
      "stablehlo.return"(%r0) : (tensor<!u8>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<40x!u8>, tensor<!u8>) -> tensor<!u8>
    "func.return"(%0) : (tensor<!u8>) -> ()
  }) {function_type = (tensor<40x!u8>, tensor<!u8>) -> tensor<!u8>, sym_name = "main"} : () -> ()
}

// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[25, 232, 181, 57, 135, 95, 41, 73, 212, 205, 89, 139, 53, 133, 3, 29, 129, 127, 2, 25, 220, 170, 94, 242, 170, 78, 172, 176, 130, 69, 111, 64, 154, 237, 190, 237, 121, 85, 196, 192]> : tensor<40xui8>
// args: dense<49> : tensor<ui8>
// expect: dense<255> : tensor<ui8>
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

// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[194, 128], [82, 109], [47, 196], [9, 56], [176, 204], [92, 68], [204, 80], [114, 49], [238, 253], [1, 198], [74, 253], [98, 219], [2, 98], [240, 126], [255, 9], [98, 9], [129, 170], [145, 37], [15, 153]]> : tensor<19x2xui8>
// args: dense<28> : tensor<ui8>
// expect: dense<[114, 25]> : tensor<2xui8>
!u8 = !quant.uniform<u8:f32, 0.5:128>
module {
  "func.func"() ({
  ^bb0(%input: tensor<19x2x!u8>, %init: tensor<!u8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!u8>, %b0: tensor<!u8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!u8>, tensor<!u8>) -> tensor<!u8>
      "stablehlo.return"(%r0) : (tensor<!u8>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<19x2x!u8>, tensor<!u8>) -> tensor<2x!u8>
    "func.return"(%0) : (tensor<2x!u8>) -> ()
  }) {function_type = (tensor<19x2x!u8>, tensor<!u8>) -> tensor<2x!u8>, sym_name = "main"} : () -> ()
}

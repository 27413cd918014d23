// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[241, 136, 80, 41, 40, 153, 163, 56, 70, 92, 50, 238, 109, 212, 226, 66, 45], [6, 183, 37, 142, 90, 236, 77, 35, 230, 251, 157, 64, 81, 51, 134, 183, 255], [184, 159, 58, 245, 75, 46, 229, 230, 248, 81, 250, 4, 206, 15, 217, 101, 48]]> : tensor<3x17xui8>
// args: dense<163> : tensor<ui8>
// expect: dense<[110, 254, 78]> : tensor<3xui8>
!u8 = !quant.uniform<u8:f32, 0.5:128>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3x17x!u8>, %init: tensor<!u8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!u8>, %b0: tensor<!u8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!u8>, tensor<!u8>) -> tensor<!u8>
      "stablehlo.return"(%r0) : (tensor<!u8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<3x17x!u8>, tensor<!u8>) -> tensor<3x!u8>
    "func.return"(%0) : (tensor<3x!u8>) -> ()
  }) {function_type = (tensor<3x17x!u8>, tensor<!u8>) -> tensor<3x!u8>, sym_name = "main"} : () -> ()
}

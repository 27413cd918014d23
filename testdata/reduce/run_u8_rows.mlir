// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[134, 127, 124, 137, 121, 121, 128, 129, 122, 123, 124, 122, 133, 125, 132, 133, 123], [121, 119, 137, 136, 130, 121, 127, 124, 133, 123, 121, 137, 136, 137, 133, 135, 134], [128, 123, 124, 122, 127, 130, 134, 130, 128, 122, 135, 134, 123, 121, 133, 133, 134]]> : tensor<3x17xui8>
// args: dense<129> : tensor<ui8>
// expect: dense<[111, 157, 134]> : tensor<3xui8>
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

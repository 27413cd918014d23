// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[131, 127], [124, 125], [137, 121], [131, 137], [119, 122], [135, 130], [131, 124], [123, 131], [124, 126], [122, 133], [134, 119], [131, 123], [134, 136], [125, 132], [119, 137], [125, 134], [126, 137], [135, 134], [119, 125]]> : tensor<19x2xui8>
// args: dense<120> : tensor<ui8>
// expect: dense<[113, 141]> : tensor<2xui8>
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

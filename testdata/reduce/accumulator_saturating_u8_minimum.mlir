// clause: minimum: dequantize, minimum, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[250, 250, 3, 0, 0, 255], [255, 0, 0, 3, 250, 250], [250, 3, 0, 0, 255, 250], [6, 6, 253, 255, 255, 1]]> : tensor<4x6xui8>
// args: dense<250> : tensor<ui8>
// expect: dense<[0, 0, 0, 1]> : tensor<4xui8>
!u8 = !quant.uniform<u8:f32, 0.5:128>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x6x!u8>, %init: tensor<!u8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!u8>, %b0: tensor<!u8>):
      %r0 = "stablehlo.minimum"(%a0, %b0) : (tensor<!u8>, tensor<!u8>) -> tensor<!u8>
      "stablehlo.return"(%r0) : (tensor<!u8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<4x6x!u8>, tensor<!u8>) -> tensor<4x!u8>
    "func.return"(%0) : (tensor<4x!u8>) -> ()
  }) {function_type = (tensor<4x6x!u8>, tensor<!u8>) -> tensor<4x!u8>, sym_name = "main"} : () -> ()
}

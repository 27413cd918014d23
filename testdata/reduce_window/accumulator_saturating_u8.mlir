// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[250, 250, 3, 0, 0, 255]> : tensor<6xui8>
// args: dense<129> : tensor<ui8>
// expect: dense<[255, 126, 0, 0, 128]> : tensor<5xui8>
!u8 = !quant.uniform<u8:f32, 0.5:128>
module {
  "func.func"() ({
  ^bb0(%input: tensor<6x!u8>, %init: tensor<!u8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!u8>, %b0: tensor<!u8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!u8>, tensor<!u8>) -> tensor<!u8>
      "stablehlo.return"(%r0) : (tensor<!u8>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<6x!u8>, tensor<!u8>) -> tensor<5x!u8>
    "func.return"(%0) : (tensor<5x!u8>) -> ()
  }) {function_type = (tensor<6x!u8>, tensor<!u8>) -> tensor<5x!u8>, sym_name = "main"} : () -> ()
}

// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[127, 126, 125, 123, 111, 119, 101, 97, 127, 113]> : tensor<10xi8>
// args: dense<1> : tensor<i8>
// expect: dense<[254, 252, 249, 235, 231, 221, 199, 225, 241]> : tensor<9xi16>
!i8 = !quant.uniform<i8:f16, 0.1>
!i16 = !quant.uniform<i16:f16, 0.1>
module {
  "func.func"() ({
  ^bb0(%input: tensor<10x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<10x!i8>, tensor<!i8>) -> tensor<9x!i16>
    "func.return"(%0) : (tensor<9x!i16>) -> ()
  }) {function_type = (tensor<10x!i8>, tensor<!i8>) -> tensor<9x!i16>, sym_name = "main"} : () -> ()
}

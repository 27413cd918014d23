// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[100, 100, -120, -120, -120, 100]> : tensor<6xi8>
// args: dense<6> : tensor<i8>
// expect: dense<[127, -24, -128, -128, -24]> : tensor<5xi8>
!i8 = !quant.uniform<i8:f32, 0.1:5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<6x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<6x!i8>, tensor<!i8>) -> tensor<5x!i8>
    "func.return"(%0) : (tensor<5x!i8>) -> ()
  }) {function_type = (tensor<6x!i8>, tensor<!i8>) -> tensor<5x!i8>, sym_name = "main"} : () -> ()
}

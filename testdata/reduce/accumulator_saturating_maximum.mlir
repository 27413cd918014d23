// clause: maximum: dequantize, maximum, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[100, 100, -120, -120, -120, 100], [100, -120, -120, -120, 100, 100], [100, -120, -120, -120, 100, 100], [-100, -100, 120, 120, 120, -100]]> : tensor<4x6xi8>
// args: dense<100> : tensor<i8>
// expect: dense<[100, 100, 100, 120]> : tensor<4xi8>
!i8 = !quant.uniform<i8:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x6x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<4x6x!i8>, tensor<!i8>) -> tensor<4x!i8>
    "func.return"(%0) : (tensor<4x!i8>) -> ()
  }) {function_type = (tensor<4x6x!i8>, tensor<!i8>) -> tensor<4x!i8>, sym_name = "main"} : () -> ()
}

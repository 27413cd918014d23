// clause: maximum: dequantize, maximum, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[100, 5, -3, 127, 20], [20, 127, -3, 5, 100], [5, -3, 127, 20, 100], [-100, -5, 3, -127, -20]]> : tensor<4x5xi8>
// args: dense<100> : tensor<i8>
// expect: dense<[20, 20, 20, 3]> : tensor<4xi8>
!i8 = !quant.uniform<i8:f8E4M3FN, 16.0>
!i8_b = !quant.uniform<i8<-20:20>:f8E4M3FN, 16.0>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x5x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8_b>, %b0: tensor<!i8_b>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<!i8_b>, tensor<!i8_b>) -> tensor<!i8_b>
      "stablehlo.return"(%r0) : (tensor<!i8_b>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<4x5x!i8>, tensor<!i8>) -> tensor<4x!i8_b>
    "func.return"(%0) : (tensor<4x!i8_b>) -> ()
  }) {function_type = (tensor<4x5x!i8>, tensor<!i8>) -> tensor<4x!i8_b>, sym_name = "main"} : () -> ()
}

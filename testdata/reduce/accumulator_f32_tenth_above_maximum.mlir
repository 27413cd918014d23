// clause: maximum: dequantize, maximum, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[16777217, 3, 5, -1, 1, 33554435], [33554435, 1, -1, 5, 3, 16777217], [3, 5, -1, 1, 33554435, 16777217], [-16777217, -3, -5, 1, -1, -33554435]]> : tensor<4x6xi32>
// args: dense<16777217> : tensor<i32>
// expect: dense<[33554436, 33554436, 33554436, 16777216]> : tensor<4xi32>
!i32 = !quant.uniform<i32:f32, 0.1>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x6x!i32>, %init: tensor<!i32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<4x6x!i32>, tensor<!i32>) -> tensor<4x!i32>
    "func.return"(%0) : (tensor<4x!i32>) -> ()
  }) {function_type = (tensor<4x6x!i32>, tensor<!i32>) -> tensor<4x!i32>, sym_name = "main"} : () -> ()
}

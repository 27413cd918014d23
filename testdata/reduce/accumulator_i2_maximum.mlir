// clause: maximum: dequantize, maximum, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[1, 1, -2, -2, 1], [1, -2, -2, 1, 1], [1, -2, -2, 1, 1], [-1, -1, 1, 1, -1]]> : tensor<4x5xi2>
// args: dense<1> : tensor<i2>
// expect: dense<[1, 1, 1, 1]> : tensor<4xi2>
!i2 = !quant.uniform<i2:f32, 1.0>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x5x!i2>, %init: tensor<!i2>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i2>, %b0: tensor<!i2>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<!i2>, tensor<!i2>) -> tensor<!i2>
      "stablehlo.return"(%r0) : (tensor<!i2>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<4x5x!i2>, tensor<!i2>) -> tensor<4x!i2>
    "func.return"(%0) : (tensor<4x!i2>) -> ()
  }) {function_type = (tensor<4x5x!i2>, tensor<!i2>) -> tensor<4x!i2>, sym_name = "main"} : () -> ()
}

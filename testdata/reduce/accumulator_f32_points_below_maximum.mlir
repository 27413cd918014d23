// clause: maximum: dequantize, maximum, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[16777210, 16777213, 16777216, 16777209], [16777209, 16777216, 16777213, 16777210], [16777213, 16777216, 16777209, 16777210], [16777210, 16777213, 16777216, 16777209]]> : tensor<4x4xi32>
// args: dense<16777210> : tensor<i32>
// expect: dense<[16777214, 16777213, 16777213, 16777214]> : tensor<4xi32>
!i32 = !quant.uniform<i32:f32, 1.0:16777217>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x4x!i32>, %init: tensor<!i32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<4x4x!i32>, tensor<!i32>) -> tensor<4x!i32>
    "func.return"(%0) : (tensor<4x!i32>) -> ()
  }) {function_type = (tensor<4x4x!i32>, tensor<!i32>) -> tensor<4x!i32>, sym_name = "main"} : () -> ()
}

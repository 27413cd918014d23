// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[32767, -32768, 5, 6, 7], [7, 6, 5, -32768, 32767], [-32768, 5, 6, 7, 32767], [-32761, 32767, 1, 0, -1]]> : tensor<4x5xi16>
// args: dense<4> : tensor<i16>
// expect: dense<[1, 1, 1, -5]> : tensor<4xi32>
!i16 = !quant.uniform<i16:f32, 0.25:3>
!i32 = !quant.uniform<i32:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x5x!i16>, %init: tensor<!i16>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<4x5x!i16>, tensor<!i16>) -> tensor<4x!i32>
    "func.return"(%0) : (tensor<4x!i32>) -> ()
  }) {function_type = (tensor<4x5x!i16>, tensor<!i16>) -> tensor<4x!i32>, sym_name = "main"} : () -> ()
}
